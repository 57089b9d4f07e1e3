// @ts-check
/**
 * Cases of flows that need stored identities, cookies and tokens: carried out with a real service.
 *
 * @typedef {import('./types.mjs').FormCase} FormCase
 * @typedef {import('./types.mjs').Verdict} Verdict
 * @typedef {import('./service.mjs').FormService} FormService
 */

const IDENTIFIER_TAKEN = 4000007;
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const JSON_TYPE = { 'content-type': 'application/json' };

/** @param {FormCase} testCase */
export function isSubmissionCase({ expectedErrorKind, expectedError }) {
  return expectedErrorKind === 'csrf' || expectedError?.messageId === IDENTIFIER_TAKEN;
}

/**
 * @param {FormCase} testCase
 * @param {FormService} service
 * @returns {Promise<Verdict>}
 */
export async function submissionVerdict(testCase, service) {
  const schema_id = await service.register(testCase.schema);
  const stored = testCase.storedTraits ?? upperCase(testCase.fields);
  const first = await submit(service, { kind: 'sign-up', schema_id }, stored);
  if (first.status !== 201) return { verdict: 'failed', reason: `no identity: ${first.text}` };
  if (testCase.expectedErrorKind === 'csrf') {
    const profile = { kind: 'profile', identity_id: JSON.parse(first.text).id };
    const { status, text } = await submit(service, profile, stored, testCase.fields);
    return status === 403 ? { verdict: 'passed' } : { verdict: 'failed', reason: text };
  }
  const again = await submit(service, { kind: 'sign-up', schema_id }, {}, testCase.fields);
  const ids = again.status === 422 ? JSON.parse(again.text).errors.map(idOf) : [];
  const refused = ids.length === 1 && ids[0] === IDENTIFIER_TAKEN;
  return refused ? { verdict: 'passed' } : { verdict: 'failed', reason: again.text };
}

/**
 * Starts a flow, opens it as a browser does, and submits it.
 *
 * @param {FormService} service
 * @param {object} flow
 * @param {Record<string, unknown>} traits
 * @param {Record<string, string[]>} [fields] of the case; its token, if it has one, is sent
 * @returns {Promise<{ status: number, text: string }>}
 */
async function submit({ url, apiKey }, flow, traits, fields = {}) {
  const started = await fetch(`${url}/v1/flows`, {
    method: 'POST',
    headers: { ...JSON_TYPE, authorization: `Bearer ${apiKey}` },
    body: JSON.stringify(flow),
  });
  const { id } = /** @type {any} */ (await started.json());
  const headers = { accept: 'application/json' };
  const opened = await fetch(`${url}/flows/${id}`, { headers });
  const { csrf_token } = /** @type {any} */ (await opened.json());
  const body = new URLSearchParams({ csrf_token });
  for (const [name, value] of Object.entries(traits)) body.set(`traits.${name}`, String(value));
  for (const [name, values] of Object.entries(fields)) {
    body.delete(name);
    for (const value of values) body.append(name, value);
  }
  const cookie = opened.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const sent = { method: 'POST', headers: { ...headers, ...FORM, cookie }, body };
  const answer = await fetch(`${url}/flows/${id}`, sent);
  return { status: answer.status, text: await answer.text() };
}

/**
 * The traits of somebody who signed up before, with the same identifier in capital letters.
 *
 * @param {Record<string, string[]>} fields
 */
function upperCase(fields) {
  const traits = Object.entries(fields).filter(([name]) => name.startsWith('traits.'));
  return Object.fromEntries(
    traits.map(([name, [value]]) => [name.slice('traits.'.length), value?.toUpperCase()]),
  );
}

/** @param {{ id: number }} error */
function idOf({ id }) {
  return id;
}
