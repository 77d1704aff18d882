// What scripts say, in the language of the page: a text tagged said finds its Spanish in words.es.js, which Spanish pages load first.
"use strict";

window.provenderSaid = (parts, ...values) => {
  const english = parts.reduce((text, part, at) => `${text}{${at}}${part}`);
  return (window.provenderWords?.[english] || english).replace(/\{(\d+)\}/g, (_, at) => values[at - 1]);
};
