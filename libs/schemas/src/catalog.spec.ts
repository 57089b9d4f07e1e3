import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type DecodeFormReply, type DecodeFormRequest } from './decode-form.js';
import { type IdentityEventPayload, IdentityEvents } from './identity-event.js';
import { PAYLOAD_SCHEMAS } from './index.js';
import { type KeyEvent, KeyEvents } from './key-event.js';
import { type LaneJob } from './lane-job.js';
import { type ApplyPeopleRequest } from './people-feed.js';
import { type RunJob } from './run-job.js';
import { type VerifyKeyReply, type VerifyKeyRequest } from './verify-key.js';

const ajv = new Ajv2020({ allowUnionTypes: true });
addFormats.default(ajv);

const UUID = '01900000-0000-7000-8000-000000000000';
const TIME = '2026-11-20T00:00:00.000Z';

const keyEvent: Omit<KeyEvent, 'type'> = {
  event_id: UUID,
  key_id: UUID,
  old_key_id: '',
  actor_id: 'a',
  caller: 'static',
  ip: '::1',
  request_id: 'r',
  create_time: TIME,
  details: {},
};
const identityEvent: Omit<IdentityEventPayload, 'type'> = {
  event_id: UUID,
  identity_id: UUID,
  schema_id: 'user',
  schema_version: 1,
  occurred_at: TIME,
};
const verified: VerifyKeyReply = {
  is_valid: true,
  status: 'KEY_STATUS_ACTIVE',
  key_id: UUID,
  actor_id: 'a',
  scopes: ['s'],
  metadata: {},
  expire_time: TIME,
  visibility: 'KEY_VISIBILITY_SECRET',
  issuer: 'i',
  rate_limit_policy: { quota: '1', unit: 'requests', window: '60s' },
  audiences: [],
  rate_limit_remaining: '0',
  rate_limit_reset_time: null,
};
const keyVerify: VerifyKeyRequest = { credential: 'c', required_scopes: ['s'], audience: 'a' };
const applyPeople: ApplyPeopleRequest = {
  source_id: UUID,
  tenant: 'acme',
  product: 'app',
  link: {
    revision: 1,
    attribute: 'email',
    actor_prefix: '',
    email_domains: ['acme.example'],
    on_deactivate: 'pause',
    on_delete: 'revoke',
  },
  people: [{ user_id: UUID, actor_ids: ['a'], state: 'inactive', sequence: '7' }],
  snapshot: { as_of: '7', is_complete: true },
};
const decodeForm: DecodeFormRequest = { schema_id: 'user', version: 1, fields: [['a', 'b']] };
const decoded: DecodeFormReply = { traits: {}, ignored: [] };
const laneJob: LaneJob = { system: 'dsync', sourceId: UUID };
const runJob: RunJob = { runId: UUID };

/** An accepted payload and members that make it wrong. */
const EXAMPLES: Record<string, Record<string, [accepted: object, wrong: object]>> = {
  'keys.verify': {
    request: [keyVerify, { credential: '' }],
    reply: [verified, { status: 'ACTIVE' }],
  },
  'keys.judge_administrator': {
    request: [
      { nonce: 'n', key_id: UUID, secret_sha256: 'aGFzaA==' },
      { credential: 'gate_sk_v1_x' },
    ],
    reply: [{ verdict: 'a.b.c' }, { verdict: true }],
  },
  'keys.apply_people': {
    request: [applyPeople, { people: [{ user_id: 'u' }] }],
    reply: [{ is_done: true }, { is_done: 1 }],
  },
  'forms.decode': {
    request: [decodeForm, { fields: [['a']] }],
    reply: [decoded, { ignored: 1 }],
  },
  ...Object.fromEntries(
    Object.values(KeyEvents).map((type) => [
      type,
      { event: [{ ...keyEvent, type }, { secret: 's' }] },
    ]),
  ),
  ...Object.fromEntries(
    Object.values(IdentityEvents).map((type) => [
      type,
      { event: [{ ...identityEvent, type }, { traits: {} }] },
    ]),
  ),
  'keys.invalidate': { event: [[UUID], [1]] },
  'delivery-lane': { job: [laneJob, { sourceId: 'x' }] },
  'workspace-run': { job: [runJob, { runId: 'x' }] },
};

const schemas = Object.entries(PAYLOAD_SCHEMAS).flatMap(([pattern, kinds]) =>
  Object.entries(kinds).map(([kind, schema]) => [pattern, kind, schema] as const),
);

it.each(schemas)('%s: the schema of the %s accepts an example and refuses a wrong one', (...at) => {
  const [pattern, kind, schema] = at;
  const [accepted, wrong] = EXAMPLES[pattern]?.[kind] ?? [{}, {}];
  const validate = ajv.compile(schema);
  expect([validate(accepted), validate.errors]).toEqual([true, null]);
  expect(validate(Array.isArray(wrong) ? wrong : { ...accepted, ...wrong })).toBe(false);
  expect(validate('text')).toBe(false);
});

it('the schema of a form reply accepts a problem document', () => {
  const problem: DecodeFormReply = {
    type: 'about:blank',
    title: 'Unprocessable Content',
    status: 422,
    request_id: 'r',
    errors: [{ pointer: '/traits/age', code: 'type', message: 'm' }],
  };
  expect(ajv.validate(PAYLOAD_SCHEMAS['forms.decode'].reply, problem)).toBe(true);
});
