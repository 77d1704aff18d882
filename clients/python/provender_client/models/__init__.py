"""Contains all the data models used in inputs/outputs"""

from .accept_event import AcceptEvent
from .accreditation_in import AccreditationIn
from .accreditation_out import AccreditationOut
from .accreditation_out_shown_type_0 import AccreditationOutShownType0
from .alert import Alert
from .alert_out import AlertOut
from .area import Area
from .assign_event import AssignEvent
from .assurance import Assurance
from .audit_in import AuditIn
from .audit_out import AuditOut
from .audit_step import AuditStep
from .balance_sum_view import BalanceSumView
from .bearing import Bearing
from .begun import Begun
from .bin_out import BinOut
from .book_out import BookOut
from .book_out_rows import BookOutRows
from .boundary_in import BoundaryIn
from .buyer_notice_out import BuyerNoticeOut
from .came_in_days import CameInDays
from .came_in_sum_view import CameInSumView
from .came_in_view import CameInView
from .change_in import ChangeIn
from .change_out import ChangeOut
from .change_preview_out import ChangePreviewOut
from .choice_in import ChoiceIn
from .choice_out import ChoiceOut
from .choices_in import ChoicesIn
from .choices_in_dates_type_0 import ChoicesInDatesType0
from .choices_in_units import ChoicesInUnits
from .chosen_lot_view import ChosenLotView
from .close_event import CloseEvent
from .close_event_surplus_type_0 import CloseEventSurplusType0
from .close_site_event import CloseSiteEvent
from .closed_site_view import ClosedSiteView
from .column_chosen import ColumnChosen
from .columns_chosen import ColumnsChosen
from .columns_chosen_date_order import ColumnsChosenDateOrder
from .columns_chosen_decimal import ColumnsChosenDecimal
from .commitment_in import CommitmentIn
from .confirm_column_map_response import ConfirmColumnMapResponse
from .contract_delivery_view import ContractDeliveryView
from .contract_event import ContractEvent
from .contract_event_role import ContractEventRole
from .contract_out import ContractOut
from .convert_event import ConvertEvent
from .coproduct_in import CoproductIn
from .corner import Corner
from .correct_event import CorrectEvent
from .counts import Counts
from .crop import Crop
from .crop_extent import CropExtent
from .crop_extent_crop import CropExtentCrop
from .crush_event import CrushEvent
from .days_in import DaysIn
from .delivery import Delivery
from .difference_out import DifferenceOut
from .document_event import DocumentEvent
from .document_in import DocumentIn
from .document_in_document import DocumentInDocument
from .document_line_in import DocumentLineIn
from .draft_next_slip_response import DraftNextSlipResponse
from .draft_out import DraftOut
from .draft_out_document import DraftOutDocument
from .drawn_out import DrawnOut
from .drawn_out_decision_type_0 import DrawnOutDecisionType0
from .drawn_out_risk import DrawnOutRisk
from .edit_in import EditIn
from .edit_in_row_type_0 import EditInRowType0
from .edits_in import EditsIn
from .engagement_in import EngagementIn
from .engagement_in_procedures_item import EngagementInProceduresItem
from .engagement_in_risks_item import EngagementInRisksItem
from .engagement_in_team_item import EngagementInTeamItem
from .engagement_out import EngagementOut
from .engagement_out_engagement import EngagementOutEngagement
from .entity_event import EntityEvent
from .entity_event_roles_item import EntityEventRolesItem
from .entity_out import EntityOut
from .entry_chosen import EntryChosen
from .entry_chosen_ending import EntryChosenEnding
from .entry_out import EntryOut
from .entry_out_what_it_says import EntryOutWhatItSays
from .envelope_in import EnvelopeIn
from .envelope_in_document import EnvelopeInDocument
from .event_asked import EventAsked
from .event_asked_event import EventAskedEvent
from .event_choice import EventChoice
from .event_field import EventField
from .event_in import EventIn
from .event_kind import EventKind
from .event_offered import EventOffered
from .event_offered_its_beginning import EventOfferedItsBeginning
from .events_in import EventsIn
from .evidence_in import EvidenceIn
from .evidence_out import EvidenceOut
from .evidence_out_row import EvidenceOutRow
from .extent import Extent
from .failure_in import FailureIn
from .fallen_verdict import FallenVerdict
from .figures_in import FiguresIn
from .file_in import FileIn
from .file_out import FileOut
from .fill_chosen import FillChosen
from .finding_change_in import FindingChangeIn
from .finding_in import FindingIn
from .finding_out import FindingOut
from .finding_whole import FindingWhole
from .finding_whole_events_item import FindingWholeEventsItem
from .forum import Forum
from .forum_place import ForumPlace
from .get_balance_response import GetBalanceResponse
from .get_day_sheet_response import GetDaySheetResponse
from .get_figures_response import GetFiguresResponse
from .get_interim_balance_response import GetInterimBalanceResponse
from .get_kind_response import GetKindResponse
from .get_log_consistency_response import GetLogConsistencyResponse
from .get_log_head_response import GetLogHeadResponse
from .get_log_proof_response import GetLogProofResponse
from .get_report_response import GetReportResponse
from .get_report_version_response import GetReportVersionResponse
from .get_restatement_response import GetRestatementResponse
from .get_sample_response import GetSampleResponse
from .get_statement_response import GetStatementResponse
from .get_work_file_ending import GetWorkFileEnding
from .grain_out import GrainOut
from .grain_site_out import GrainSiteOut
from .grant_held import GrantHeld
from .grant_in import GrantIn
from .grant_out import GrantOut
from .growing_ask import GrowingAsk
from .growing_ask_known_of_a_new_row import GrowingAskKnownOfANewRow
from .growing_ask_when import GrowingAskWhen
from .growing_crop_out import GrowingCropOut
from .growing_practice import GrowingPractice
from .growing_practice_how_it_stands_so_far import GrowingPracticeHowItStandsSoFar
from .hand_in_statement_response import HandInStatementResponse
from .history_out import HistoryOut
from .hook_in import HookIn
from .hook_made import HookMade
from .hook_out import HookOut
from .import_in import ImportIn
from .import_in_units import ImportInUnits
from .import_out import ImportOut
from .import_problem import ImportProblem
from .import_row import ImportRow
from .import_row_as_the_book_has_it import ImportRowAsTheBookHasIt
from .import_row_texts_by_column import ImportRowTextsByColumn
from .intensity_change import IntensityChange
from .invitation_in import InvitationIn
from .invitation_made import InvitationMade
from .invitation_out import InvitationOut
from .keep_out import KeepOut
from .key_in import KeyIn
from .key_in_shown import KeyInShown
from .key_out import KeyOut
from .key_out_public_key_jwk import KeyOutPublicKeyJWK
from .kind_chosen import KindChosen
from .kind_out import KindOut
from .later_out import LaterOut
from .later_out_document import LaterOutDocument
from .left_out import LeftOut
from .line_out import LineOut
from .lines_in import LinesIn
from .list_column_maps_target import ListColumnMapsTarget
from .load_left_out import LoadLeftOut
from .log_out import LogOut
from .log_state_out import LogStateOut
from .loss_event import LossEvent
from .lot_out import LotOut
from .lot_query import LotQuery
from .lot_state import LotState
from .lot_whole import LotWhole
from .map_in import MapIn
from .map_in_map import MapInMap
from .map_in_target import MapInTarget
from .mark import Mark
from .mark_in import MarkIn
from .mark_out import MarkOut
from .mean_choice_view import MeanChoiceView
from .measurement_event import MeasurementEvent
from .member_out import MemberOut
from .move_event import MoveEvent
from .movement_out import MovementOut
from .movement_whole import MovementWhole
from .movement_whole_what_was_entered import MovementWholeWhatWasEntered
from .movements_out import MovementsOut
from .need_out import NeedOut
from .news_event import NewsEvent
from .news_kind import NewsKind
from .next_step import NextStep
from .notice_event import NoticeEvent
from .notice_event_reason import NoticeEventReason
from .offer import Offer
from .one_problem import OneProblem
from .opened_in import OpenedIn
from .opened_in_document import OpenedInDocument
from .opened_out import OpenedOut
from .opening_event import OpeningEvent
from .opening_in import OpeningIn
from .opinion import Opinion
from .organisation_in import OrganisationIn
from .organisation_in_roles_item import OrganisationInRolesItem
from .organisation_out import OrganisationOut
from .orphans import Orphans
from .outcome_out import OutcomeOut
from .outcome_out_facts import OutcomeOutFacts
from .package_in import PackageIn
from .package_out import PackageOut
from .package_out_made_type_0 import PackageOutMadeType0
from .package_out_problems_item import PackageOutProblemsItem
from .package_state import PackageState
from .page_alert_out import PageAlertOut
from .page_audit_out import PageAuditOut
from .page_balance_sum_view import PageBalanceSumView
from .page_begun import PageBegun
from .page_bin_out import PageBinOut
from .page_buyer_notice_out import PageBuyerNoticeOut
from .page_came_in_sum_view import PageCameInSumView
from .page_came_in_view import PageCameInView
from .page_change_out import PageChangeOut
from .page_choice_out import PageChoiceOut
from .page_contract_delivery_view import PageContractDeliveryView
from .page_contract_out import PageContractOut
from .page_difference_out import PageDifferenceOut
from .page_drawn_out import PageDrawnOut
from .page_entry_out import PageEntryOut
from .page_event_kind import PageEventKind
from .page_evidence_out import PageEvidenceOut
from .page_file_out import PageFileOut
from .page_finding_out import PageFindingOut
from .page_grain_out import PageGrainOut
from .page_grain_site_out import PageGrainSiteOut
from .page_grant_held import PageGrantHeld
from .page_grant_out import PageGrantOut
from .page_growing_crop_out import PageGrowingCropOut
from .page_history_out import PageHistoryOut
from .page_hook_out import PageHookOut
from .page_import_problem import PageImportProblem
from .page_import_row import PageImportRow
from .page_invitation_out import PageInvitationOut
from .page_keep_out import PageKeepOut
from .page_key_out import PageKeyOut
from .page_kind_out import PageKindOut
from .page_later_out import PageLaterOut
from .page_left_out import PageLeftOut
from .page_line_out import PageLineOut
from .page_log_out import PageLogOut
from .page_lot_out import PageLotOut
from .page_member_out import PageMemberOut
from .page_news_event import PageNewsEvent
from .page_next_step import PageNextStep
from .page_package_out import PagePackageOut
from .page_party_out import PagePartyOut
from .page_period_out import PagePeriodOut
from .page_practice_total_out import PagePracticeTotalOut
from .page_producer_key_out import PageProducerKeyOut
from .page_query import PageQuery
from .page_rejected_row import PageRejectedRow
from .page_report_delivery_out import PageReportDeliveryOut
from .page_report_out import PageReportOut
from .page_result_line import PageResultLine
from .page_reviewer_out import PageReviewerOut
from .page_row_change_out import PageRowChangeOut
from .page_row_out import PageRowOut
from .page_seen_out import PageSeenOut
from .page_settlement_line_view import PageSettlementLineView
from .page_sheet_out import PageSheetOut
from .page_slip_out import PageSlipOut
from .page_statement_out import PageStatementOut
from .page_stock_out import PageStockOut
from .page_token_out import PageTokenOut
from .page_unit_feature import PageUnitFeature
from .page_version_out import PageVersionOut
from .page_visit_out import PageVisitOut
from .pagedictstr_any import PagedictstrAny
from .pagedictstr_any_items_item import PagedictstrAnyItemsItem
from .paper_in import PaperIn
from .paper_in_document import PaperInDocument
from .paper_out import PaperOut
from .paper_out_document import PaperOutDocument
from .part import Part
from .party_out import PartyOut
from .pending_purchase import PendingPurchase
from .period_event import PeriodEvent
from .period_event_policy import PeriodEventPolicy
from .period_out import PeriodOut
from .periods_due import PeriodsDue
from .periods_due_close_type_0 import PeriodsDueCloseType0
from .periods_due_declare import PeriodsDueDeclare
from .point_out import PointOut
from .population_out import PopulationOut
from .population_out_detection_item import PopulationOutDetectionItem
from .population_out_rows_item import PopulationOutRowsItem
from .practice_extent import PracticeExtent
from .practice_total_out import PracticeTotalOut
from .practice_total_out_practice import PracticeTotalOutPractice
from .preview_out import PreviewOut
from .preview_out_facts import PreviewOutFacts
from .problem_document import ProblemDocument
from .process_event import ProcessEvent
from .producer_key_in import ProducerKeyIn
from .producer_key_in_statement import ProducerKeyInStatement
from .producer_key_out import ProducerKeyOut
from .producer_key_out_public_key import ProducerKeyOutPublicKey
from .progress_out import ProgressOut
from .purchase_event import PurchaseEvent
from .purchase_event_terms_type_0 import PurchaseEventTermsType0
from .purchase_pending_event import PurchasePendingEvent
from .question_out import QuestionOut
from .range_in import RangeIn
from .receipt_event import ReceiptEvent
from .reinstate_event import ReinstateEvent
from .reject_event import RejectEvent
from .rejected_chosen import RejectedChosen
from .rejected_chosen_cells import RejectedChosenCells
from .rejected_row import RejectedRow
from .rejected_row_cells import RejectedRowCells
from .release_event import ReleaseEvent
from .removal_out import RemovalOut
from .reopening_in import ReopeningIn
from .report_change import ReportChange
from .report_delivery_out import ReportDeliveryOut
from .report_event import ReportEvent
from .report_out import ReportOut
from .report_out_official import ReportOutOfficial
from .report_standing import ReportStanding
from .report_standing_official import ReportStandingOfficial
from .resolution import Resolution
from .resolution_in import ResolutionIn
from .response_in import ResponseIn
from .result_line import ResultLine
from .result_out import ResultOut
from .result_out_checks_item import ResultOutChecksItem
from .result_out_made import ResultOutMade
from .result_out_not_shown_item import ResultOutNotShownItem
from .result_out_places_item import ResultOutPlacesItem
from .result_out_problems_item import ResultOutProblemsItem
from .retire_event import RetireEvent
from .return_event import ReturnEvent
from .reviewer_in import ReviewerIn
from .reviewer_kind import ReviewerKind
from .reviewer_made import ReviewerMade
from .reviewer_out import ReviewerOut
from .rhythm_out import RhythmOut
from .right import Right
from .right_in import RightIn
from .role import Role
from .row_change_out import RowChangeOut
from .row_change_out_after_type_0 import RowChangeOutAfterType0
from .row_change_out_before_type_0 import RowChangeOutBeforeType0
from .row_chosen import RowChosen
from .row_chosen_row import RowChosenRow
from .row_out import RowOut
from .row_out_texts_by_column import RowOutTextsByColumn
from .sale_event import SaleEvent
from .sale_event_order_type_0 import SaleEventOrderType0
from .scope import Scope
from .seed_in import SeedIn
from .seen_in import SeenIn
from .seen_out import SeenOut
from .serials_out import SerialsOut
from .settle_event import SettleEvent
from .settlement_file import SettlementFile
from .settlement_line_view import SettlementLineView
from .settlements_read import SettlementsRead
from .settlements_read_map_type_0 import SettlementsReadMapType0
from .severity import Severity
from .share_event import ShareEvent
from .sheet_column import SheetColumn
from .sheet_out import SheetOut
from .shipment_event import ShipmentEvent
from .signed_in import SignedIn
from .signed_in_document import SignedInDocument
from .signed_report_change import SignedReportChange
from .sites_in import SitesIn
from .slip_event import SlipEvent
from .slip_in import SlipIn
from .slip_in_document import SlipInDocument
from .slip_out import SlipOut
from .slip_out_document import SlipOutDocument
from .slip_waiting import SlipWaiting
from .standing_out import StandingOut
from .state import State
from .statement_event import StatementEvent
from .statement_event_opinion import StatementEventOpinion
from .statement_out import StatementOut
from .stock_out import StockOut
from .storage_event import StorageEvent
from .suspend_event import SuspendEvent
from .suspension import Suspension
from .taken_in import TakenIn
from .thing_out import ThingOut
from .thing_out_known_of_a_new_row import ThingOutKnownOfANewRow
from .thing_out_state import ThingOutState
from .ticket_file import TicketFile
from .ticket_file_in import TicketFileIn
from .ticket_held import TicketHeld
from .ticket_in import TicketIn
from .ticket_out import TicketOut
from .ticket_out_way import TicketOutWay
from .tickets_entered import TicketsEntered
from .tickets_read import TicketsRead
from .tickets_read_map_type_0 import TicketsReadMapType0
from .token_in import TokenIn
from .token_made import TokenMade
from .token_out import TokenOut
from .token_state import TokenState
from .treatment_in import TreatmentIn
from .true_up_event import TrueUpEvent
from .unit_facts import UnitFacts
from .unit_feature import UnitFeature
from .unit_feature_geometry_type_0 import UnitFeatureGeometryType0
from .upload_file_file_params import UploadFileFileParams
from .version_out import VersionOut
from .version_out_official import VersionOutOfficial
from .visit_out import VisitOut
from .waiting import Waiting
from .way import Way
from .weight import Weight
from .withdraw_event import WithdrawEvent
from .word_chosen import WordChosen
from .word_chosen_about import WordChosenAbout
from .words_in import WordsIn
from .write_in import WriteIn
from .written_out import WrittenOut
from .yield_event import YieldEvent
from .yield_event_basis_type_0 import YieldEventBasisType0

__all__ = (
    "AcceptEvent",
    "AccreditationIn",
    "AccreditationOut",
    "AccreditationOutShownType0",
    "Alert",
    "AlertOut",
    "Area",
    "AssignEvent",
    "Assurance",
    "AuditIn",
    "AuditOut",
    "AuditStep",
    "BalanceSumView",
    "Bearing",
    "Begun",
    "BinOut",
    "BookOut",
    "BookOutRows",
    "BoundaryIn",
    "BuyerNoticeOut",
    "CameInDays",
    "CameInSumView",
    "CameInView",
    "ChangeIn",
    "ChangeOut",
    "ChangePreviewOut",
    "ChoiceIn",
    "ChoiceOut",
    "ChoicesIn",
    "ChoicesInDatesType0",
    "ChoicesInUnits",
    "ChosenLotView",
    "ClosedSiteView",
    "CloseEvent",
    "CloseEventSurplusType0",
    "CloseSiteEvent",
    "ColumnChosen",
    "ColumnsChosen",
    "ColumnsChosenDateOrder",
    "ColumnsChosenDecimal",
    "CommitmentIn",
    "ConfirmColumnMapResponse",
    "ContractDeliveryView",
    "ContractEvent",
    "ContractEventRole",
    "ContractOut",
    "ConvertEvent",
    "CoproductIn",
    "Corner",
    "CorrectEvent",
    "Counts",
    "Crop",
    "CropExtent",
    "CropExtentCrop",
    "CrushEvent",
    "DaysIn",
    "Delivery",
    "DifferenceOut",
    "DocumentEvent",
    "DocumentIn",
    "DocumentInDocument",
    "DocumentLineIn",
    "DraftNextSlipResponse",
    "DraftOut",
    "DraftOutDocument",
    "DrawnOut",
    "DrawnOutDecisionType0",
    "DrawnOutRisk",
    "EditIn",
    "EditInRowType0",
    "EditsIn",
    "EngagementIn",
    "EngagementInProceduresItem",
    "EngagementInRisksItem",
    "EngagementInTeamItem",
    "EngagementOut",
    "EngagementOutEngagement",
    "EntityEvent",
    "EntityEventRolesItem",
    "EntityOut",
    "EntryChosen",
    "EntryChosenEnding",
    "EntryOut",
    "EntryOutWhatItSays",
    "EnvelopeIn",
    "EnvelopeInDocument",
    "EventAsked",
    "EventAskedEvent",
    "EventChoice",
    "EventField",
    "EventIn",
    "EventKind",
    "EventOffered",
    "EventOfferedItsBeginning",
    "EventsIn",
    "EvidenceIn",
    "EvidenceOut",
    "EvidenceOutRow",
    "Extent",
    "FailureIn",
    "FallenVerdict",
    "FiguresIn",
    "FileIn",
    "FileOut",
    "FillChosen",
    "FindingChangeIn",
    "FindingIn",
    "FindingOut",
    "FindingWhole",
    "FindingWholeEventsItem",
    "Forum",
    "ForumPlace",
    "GetBalanceResponse",
    "GetDaySheetResponse",
    "GetFiguresResponse",
    "GetInterimBalanceResponse",
    "GetKindResponse",
    "GetLogConsistencyResponse",
    "GetLogHeadResponse",
    "GetLogProofResponse",
    "GetReportResponse",
    "GetReportVersionResponse",
    "GetRestatementResponse",
    "GetSampleResponse",
    "GetStatementResponse",
    "GetWorkFileEnding",
    "GrainOut",
    "GrainSiteOut",
    "GrantHeld",
    "GrantIn",
    "GrantOut",
    "GrowingAsk",
    "GrowingAskKnownOfANewRow",
    "GrowingAskWhen",
    "GrowingCropOut",
    "GrowingPractice",
    "GrowingPracticeHowItStandsSoFar",
    "HandInStatementResponse",
    "HistoryOut",
    "HookIn",
    "HookMade",
    "HookOut",
    "ImportIn",
    "ImportInUnits",
    "ImportOut",
    "ImportProblem",
    "ImportRow",
    "ImportRowAsTheBookHasIt",
    "ImportRowTextsByColumn",
    "IntensityChange",
    "InvitationIn",
    "InvitationMade",
    "InvitationOut",
    "KeepOut",
    "KeyIn",
    "KeyInShown",
    "KeyOut",
    "KeyOutPublicKeyJWK",
    "KindChosen",
    "KindOut",
    "LaterOut",
    "LaterOutDocument",
    "LeftOut",
    "LineOut",
    "LinesIn",
    "ListColumnMapsTarget",
    "LoadLeftOut",
    "LogOut",
    "LogStateOut",
    "LossEvent",
    "LotOut",
    "LotQuery",
    "LotState",
    "LotWhole",
    "MapIn",
    "MapInMap",
    "MapInTarget",
    "Mark",
    "MarkIn",
    "MarkOut",
    "MeanChoiceView",
    "MeasurementEvent",
    "MemberOut",
    "MoveEvent",
    "MovementOut",
    "MovementsOut",
    "MovementWhole",
    "MovementWholeWhatWasEntered",
    "NeedOut",
    "NewsEvent",
    "NewsKind",
    "NextStep",
    "NoticeEvent",
    "NoticeEventReason",
    "Offer",
    "OneProblem",
    "OpenedIn",
    "OpenedInDocument",
    "OpenedOut",
    "OpeningEvent",
    "OpeningIn",
    "Opinion",
    "OrganisationIn",
    "OrganisationInRolesItem",
    "OrganisationOut",
    "Orphans",
    "OutcomeOut",
    "OutcomeOutFacts",
    "PackageIn",
    "PackageOut",
    "PackageOutMadeType0",
    "PackageOutProblemsItem",
    "PackageState",
    "PageAlertOut",
    "PageAuditOut",
    "PageBalanceSumView",
    "PageBegun",
    "PageBinOut",
    "PageBuyerNoticeOut",
    "PageCameInSumView",
    "PageCameInView",
    "PageChangeOut",
    "PageChoiceOut",
    "PageContractDeliveryView",
    "PageContractOut",
    "PagedictstrAny",
    "PagedictstrAnyItemsItem",
    "PageDifferenceOut",
    "PageDrawnOut",
    "PageEntryOut",
    "PageEventKind",
    "PageEvidenceOut",
    "PageFileOut",
    "PageFindingOut",
    "PageGrainOut",
    "PageGrainSiteOut",
    "PageGrantHeld",
    "PageGrantOut",
    "PageGrowingCropOut",
    "PageHistoryOut",
    "PageHookOut",
    "PageImportProblem",
    "PageImportRow",
    "PageInvitationOut",
    "PageKeepOut",
    "PageKeyOut",
    "PageKindOut",
    "PageLaterOut",
    "PageLeftOut",
    "PageLineOut",
    "PageLogOut",
    "PageLotOut",
    "PageMemberOut",
    "PageNewsEvent",
    "PageNextStep",
    "PagePackageOut",
    "PagePartyOut",
    "PagePeriodOut",
    "PagePracticeTotalOut",
    "PageProducerKeyOut",
    "PageQuery",
    "PageRejectedRow",
    "PageReportDeliveryOut",
    "PageReportOut",
    "PageResultLine",
    "PageReviewerOut",
    "PageRowChangeOut",
    "PageRowOut",
    "PageSeenOut",
    "PageSettlementLineView",
    "PageSheetOut",
    "PageSlipOut",
    "PageStatementOut",
    "PageStockOut",
    "PageTokenOut",
    "PageUnitFeature",
    "PageVersionOut",
    "PageVisitOut",
    "PaperIn",
    "PaperInDocument",
    "PaperOut",
    "PaperOutDocument",
    "Part",
    "PartyOut",
    "PendingPurchase",
    "PeriodEvent",
    "PeriodEventPolicy",
    "PeriodOut",
    "PeriodsDue",
    "PeriodsDueCloseType0",
    "PeriodsDueDeclare",
    "PointOut",
    "PopulationOut",
    "PopulationOutDetectionItem",
    "PopulationOutRowsItem",
    "PracticeExtent",
    "PracticeTotalOut",
    "PracticeTotalOutPractice",
    "PreviewOut",
    "PreviewOutFacts",
    "ProblemDocument",
    "ProcessEvent",
    "ProducerKeyIn",
    "ProducerKeyInStatement",
    "ProducerKeyOut",
    "ProducerKeyOutPublicKey",
    "ProgressOut",
    "PurchaseEvent",
    "PurchaseEventTermsType0",
    "PurchasePendingEvent",
    "QuestionOut",
    "RangeIn",
    "ReceiptEvent",
    "ReinstateEvent",
    "RejectedChosen",
    "RejectedChosenCells",
    "RejectedRow",
    "RejectedRowCells",
    "RejectEvent",
    "ReleaseEvent",
    "RemovalOut",
    "ReopeningIn",
    "ReportChange",
    "ReportDeliveryOut",
    "ReportEvent",
    "ReportOut",
    "ReportOutOfficial",
    "ReportStanding",
    "ReportStandingOfficial",
    "Resolution",
    "ResolutionIn",
    "ResponseIn",
    "ResultLine",
    "ResultOut",
    "ResultOutChecksItem",
    "ResultOutMade",
    "ResultOutNotShownItem",
    "ResultOutPlacesItem",
    "ResultOutProblemsItem",
    "RetireEvent",
    "ReturnEvent",
    "ReviewerIn",
    "ReviewerKind",
    "ReviewerMade",
    "ReviewerOut",
    "RhythmOut",
    "Right",
    "RightIn",
    "Role",
    "RowChangeOut",
    "RowChangeOutAfterType0",
    "RowChangeOutBeforeType0",
    "RowChosen",
    "RowChosenRow",
    "RowOut",
    "RowOutTextsByColumn",
    "SaleEvent",
    "SaleEventOrderType0",
    "Scope",
    "SeedIn",
    "SeenIn",
    "SeenOut",
    "SerialsOut",
    "SettleEvent",
    "SettlementFile",
    "SettlementLineView",
    "SettlementsRead",
    "SettlementsReadMapType0",
    "Severity",
    "ShareEvent",
    "SheetColumn",
    "SheetOut",
    "ShipmentEvent",
    "SignedIn",
    "SignedInDocument",
    "SignedReportChange",
    "SitesIn",
    "SlipEvent",
    "SlipIn",
    "SlipInDocument",
    "SlipOut",
    "SlipOutDocument",
    "SlipWaiting",
    "StandingOut",
    "State",
    "StatementEvent",
    "StatementEventOpinion",
    "StatementOut",
    "StockOut",
    "StorageEvent",
    "SuspendEvent",
    "Suspension",
    "TakenIn",
    "ThingOut",
    "ThingOutKnownOfANewRow",
    "ThingOutState",
    "TicketFile",
    "TicketFileIn",
    "TicketHeld",
    "TicketIn",
    "TicketOut",
    "TicketOutWay",
    "TicketsEntered",
    "TicketsRead",
    "TicketsReadMapType0",
    "TokenIn",
    "TokenMade",
    "TokenOut",
    "TokenState",
    "TreatmentIn",
    "TrueUpEvent",
    "UnitFacts",
    "UnitFeature",
    "UnitFeatureGeometryType0",
    "UploadFileFileParams",
    "VersionOut",
    "VersionOutOfficial",
    "VisitOut",
    "Waiting",
    "Way",
    "Weight",
    "WithdrawEvent",
    "WordChosen",
    "WordChosenAbout",
    "WordsIn",
    "WriteIn",
    "WrittenOut",
    "YieldEvent",
    "YieldEventBasisType0",
)
