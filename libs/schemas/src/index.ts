export { VERDICT_OUTCOMES } from './administrator.js';
export type {
  AdministratorVerdict,
  JudgeAdministratorReply,
  JudgeAdministratorRequest,
  VerdictOutcome,
} from './administrator.js';
export { PAYLOAD_SCHEMAS } from './catalog.js';
export type { MessagePayloads } from './catalog.js';
export { CONTROL_SCOPES, coversScope, isControlScope, isReservedScope } from './control-scopes.js';
export type { ControlScope } from './control-scopes.js';
export type {
  DecodedForm,
  DecodeFormReply,
  DecodeFormRequest,
  ProblemDetail,
  ProblemDocument,
} from './decode-form.js';
export { asyncApiDocument } from './async-api.js';
export { catalogSchema, eventsOf } from './event-catalog.js';
export type { EventCatalog, EventChannel, EventKind } from './event-catalog.js';
export { IdentityEvents } from './identity-event.js';
export type { IdentityEventPayload, IdentityEventType } from './identity-event.js';
export type { JsonSchema } from './json-schema.js';
export { KeyEvents } from './key-event.js';
export type { KeyEvent, KeyEventType } from './key-event.js';
export type { LaneJob } from './lane-job.js';
export { LINK_ACTIONS, PEOPLE_MAX, PERSON_STATES } from './people-feed.js';
export type {
  ApplyPeopleReply,
  ApplyPeopleRequest,
  LinkAction,
  PeopleLink,
  PersonChange,
  PersonState,
} from './people-feed.js';
export type { RunJob } from './run-job.js';
export { DIRECTORY_EVENTS, DIRECTORY_EVENT_CATALOG } from './directory-event.js';
export type { DirectoryEventType } from './directory-event.js';
export type { DeliveryNoticeType, DirectoryNoticeType } from './notice.js';
export type { LoggedEvent } from './logged-event.js';
export {
  KeyExpiryEvents,
  KeyUsageEvents,
  KEY_EVENT_CATALOG,
  LOGGED_KEY_EVENTS,
} from './logged-key-event.js';
export type { LoggedKeyData, LoggedKeyEventType } from './logged-key-event.js';
export { Channels, MessagePatterns, Queues } from './message-patterns.js';
export { KEY_STATUSES, KEY_VISIBILITIES, VERIFICATION_ERRORS } from './verify-key.js';
export type {
  KeyInvalidation,
  KeyStatus,
  KeyVisibility,
  VerificationErrorCode,
  VerifyKeyReply,
  VerifyKeyRequest,
} from './verify-key.js';
export { IDENTITY_EVENT_CATALOG, LOGGED_IDENTITY_EVENTS } from './logged-identity-event.js';
export type { LoggedIdentityData } from './logged-identity-event.js';
