import {
  JUDGE_ADMINISTRATOR_REPLY,
  JUDGE_ADMINISTRATOR_REQUEST,
  type JudgeAdministratorReply,
  type JudgeAdministratorRequest,
} from './administrator.js';
import {
  DECODE_FORM_REPLY,
  DECODE_FORM_REQUEST,
  type DecodeFormReply,
  type DecodeFormRequest,
} from './decode-form.js';
import { IdentityEvents, identityEventSchema } from './identity-event.js';
import { KeyEvents, keyEventSchema } from './key-event.js';
import { LANE_JOB } from './lane-job.js';
import { Channels, MessagePatterns, Queues } from './message-patterns.js';
import {
  APPLY_PEOPLE_REPLY,
  APPLY_PEOPLE_REQUEST,
  type ApplyPeopleReply,
  type ApplyPeopleRequest,
} from './people-feed.js';
import { RUN_JOB } from './run-job.js';
import {
  KEY_INVALIDATION,
  VERIFY_KEY_REPLY,
  VERIFY_KEY_REQUEST,
  type VerifyKeyReply,
  type VerifyKeyRequest,
} from './verify-key.js';

/** The types of the request and the reply of each message pattern. */
export type MessagePayloads = {
  [MessagePatterns.verifyKey]: { request: VerifyKeyRequest; reply: VerifyKeyReply };
  [MessagePatterns.judgeAdministrator]: {
    request: JudgeAdministratorRequest;
    reply: JudgeAdministratorReply;
  };
  [MessagePatterns.applyPeople]: { request: ApplyPeopleRequest; reply: ApplyPeopleReply };
  [MessagePatterns.decodeForm]: { request: DecodeFormRequest; reply: DecodeFormReply };
};

/** The JSON Schemas of everything that crosses a process, by pattern, event type or queue. */
export const PAYLOAD_SCHEMAS = {
  [MessagePatterns.verifyKey]: { request: VERIFY_KEY_REQUEST, reply: VERIFY_KEY_REPLY },
  [MessagePatterns.judgeAdministrator]: {
    request: JUDGE_ADMINISTRATOR_REQUEST,
    reply: JUDGE_ADMINISTRATOR_REPLY,
  },
  [MessagePatterns.applyPeople]: { request: APPLY_PEOPLE_REQUEST, reply: APPLY_PEOPLE_REPLY },
  [MessagePatterns.decodeForm]: { request: DECODE_FORM_REQUEST, reply: DECODE_FORM_REPLY },
  [KeyEvents.issued]: { event: keyEventSchema(KeyEvents.issued) },
  [KeyEvents.imported]: { event: keyEventSchema(KeyEvents.imported) },
  [KeyEvents.updated]: { event: keyEventSchema(KeyEvents.updated) },
  [KeyEvents.rotated]: { event: keyEventSchema(KeyEvents.rotated) },
  [KeyEvents.revoked]: { event: keyEventSchema(KeyEvents.revoked) },
  [KeyEvents.deleted]: { event: keyEventSchema(KeyEvents.deleted) },
  [KeyEvents.paused]: { event: keyEventSchema(KeyEvents.paused) },
  [KeyEvents.resumed]: { event: keyEventSchema(KeyEvents.resumed) },
  [KeyEvents.undeleted]: { event: keyEventSchema(KeyEvents.undeleted) },
  [KeyEvents.erased]: { event: keyEventSchema(KeyEvents.erased) },
  [KeyEvents.exposed]: { event: keyEventSchema(KeyEvents.exposed) },
  [KeyEvents.tokenDerived]: { event: keyEventSchema(KeyEvents.tokenDerived) },
  [KeyEvents.verificationFailed]: { event: keyEventSchema(KeyEvents.verificationFailed) },
  [IdentityEvents.created]: { event: identityEventSchema(IdentityEvents.created) },
  [IdentityEvents.updated]: { event: identityEventSchema(IdentityEvents.updated) },
  [IdentityEvents.deleted]: { event: identityEventSchema(IdentityEvents.deleted) },
  [IdentityEvents.signUpRepeated]: { event: identityEventSchema(IdentityEvents.signUpRepeated) },
  [Channels.keysInvalidate]: { event: KEY_INVALIDATION },
  [Queues.deliveryLane]: { job: LANE_JOB },
  [Queues.workspaceRun]: { job: RUN_JOB },
} as const;
