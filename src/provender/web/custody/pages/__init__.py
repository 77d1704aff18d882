"""Pages of a party's custody book: what they ask and show. ``provender.services.custody`` decides."""
