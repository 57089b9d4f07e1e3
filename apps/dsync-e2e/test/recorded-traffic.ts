/** Requests that identity providers were seen to send, from the cases of conformance/scim. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Json } from '@gatehouse/testing';
import { workspace } from '#local-stack/layout.mjs';
import { parse } from 'yaml';

/** The file and the scenario of each provider. */
const RECORDINGS = {
  okta: ['http-okta', 'Okta SPEC test'],
  entra: ['http-entra', 'Microsoft reference collection'],
  onelogin: ['http-others', 'OneLogin'],
  jumpcloud: ['http-others', 'JumpCloud'],
  ping: ['http-others', 'Ping and authentik'],
} as const;

export type RecordedProvider = keyof typeof RECORDINGS;
export const RECORDED_PROVIDERS = Object.keys(RECORDINGS) as RecordedProvider[];

const SCHEMAS = 'urn:ietf:params:scim:schemas';
const URNS = {
  User: `${SCHEMAS}:core:2.0:User`,
  Group: `${SCHEMAS}:core:2.0:Group`,
  Enterprise: `${SCHEMAS}:extension:enterprise:2.0:User`,
  PatchOp: 'urn:ietf:params:scim:api:messages:2.0:PatchOp',
};

/** Sends what a provider sends until it has created a user and a group, except what it deletes. */
export async function replay(
  provider: RecordedProvider,
  base: string,
  token: string,
): Promise<void> {
  const [file, name] = RECORDINGS[provider];
  const scenarios: Json[] = parse(
    readFileSync(join(workspace, 'conformance', 'scim', `${file}.yaml`), 'utf8'),
  );
  const scenario = scenarios.find((each) => each.name === name);
  const uniq = randomUUID().replaceAll(/[\d-]/g, 'x');
  const values = new Map<string, string>(Object.entries({ ...URNS, uniq, base, token }));
  const fill = (text: string) =>
    text.replaceAll(/\{\{([^{}]+)\}\}/g, (_match, key: string) => values.get(key) ?? key);
  const created = new Set<string>();
  for (const step of scenario.groups.flatMap((group: Json) => group.steps)) {
    const line = Object.keys(step).find((key) => /^[A-Z]+ /.test(key)) ?? '';
    const [method = '', ...path] = fill(line).split(' ');
    if (method === 'DELETE') continue;
    const json =
      step.patch === undefined ? step.body : { schemas: [URNS.PatchOp], Operations: step.patch };
    const headers: Record<string, string> = { authorization: `Bearer ${token}` };
    if (json !== undefined) headers['content-type'] = 'application/scim+json';
    for (const [key, value] of Object.entries(step.send ?? {})) {
      if (typeof value === 'string') headers[key] = fill(value);
    }
    const body = json === undefined ? undefined : fill(JSON.stringify(json));
    const answer = await fetch(base + path.join(' '), { method, headers, body });
    const data: Json = await answer.json().catch(() => ({}));
    for (const [key, from] of Object.entries<string>(step.capture ?? {})) {
      const value = from === 'id' ? data.id : data.Resources?.[0]?.id;
      if (typeof value === 'string') values.set(key, value);
    }
    if (method === 'POST' && answer.status === 201) created.add(path[0]?.slice(1, 6) ?? '');
    if (created.size === 2) return;
  }
  // A recording without groups: the provider pushes one.
  await fetch(`${base}/Groups`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
    body: JSON.stringify({ schemas: [URNS.Group], displayName: `Group ${uniq}` }),
  });
}
