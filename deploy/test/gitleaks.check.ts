/** The rules for gitleaks find real secrets, and only those of the prefixes that they name. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RE2JS } from 're2js';
import { base58 } from '@scure/base';
import { IssuedSecretCodec, issuedSecretPattern, KeyRing } from '@gatehouse/crypto';
import { workspace } from '#local-stack/layout.mjs';

const SAMPLES = 500;
const rules = readFileSync(join(workspace, 'deploy/gitleaks/gatehouse.toml'), 'utf8')
  .split('[[rules]]')
  .slice(1)
  .map((rule) => ({
    id: /^id = "(.*)"$/m.exec(rule)?.[1] ?? '',
    regex: /^regex = '''(.*)'''$/m.exec(rule)?.[1] ?? '',
    keyword: /^keywords = \["(.*)"\]$/m.exec(rule)?.[1] ?? '',
  }));
const codec = new IssuedSecretCodec(KeyRing.fromTexts(['gitleaks-secret-gitleaks-secret-1']));

/** Ids whose payloads are the longest, the shortest and in between. */
function idOf(sample: number): string {
  const bytes = randomBytes(16);
  if (sample % 3 > 0) bytes.fill(sample % 3 === 1 ? 0 : 0xff, 0, 1 + (sample % 16));
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** The rules that report a text, as gitleaks decides: first by keyword, then by RE2. */
function foundIn(text: string): string[] {
  return rules
    .filter(({ keyword }) => text.toLowerCase().includes(keyword))
    .filter(({ regex }) => RE2JS.compile(regex).matcher(text).find())
    .map(({ id }) => id);
}

it.each([
  ['gatehouse-api-key', 'gate_sk'],
  ['gatehouse-scim-token', 'gate_scim'],
])('%s finds every secret that begins with %s, whatever surrounds it', (id, prefix) => {
  expect(rules.find((rule) => rule.id === id)?.regex).toBe(issuedSecretPattern([prefix]));
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const secret = codec.issue(prefix, idOf(sample));
    for (const text of [secret, `KEY="${secret}"\n`, `x${secret}.`, `{"a":"\\n${secret}\\n"}`]) {
      expect(foundIn(text)).toEqual([id]);
    }
  }
});

it('finds secrets of other prefixes only where a rule names them', () => {
  for (const prefix of ['gate_pk', 'pay_sk', 'gate_skx', 'gate']) {
    expect(foundIn(codec.issue(prefix, idOf(0)))).toEqual([]);
  }
});

it('reports no preview, no shortened secret and no text of another alphabet', () => {
  const [, payload = '', checksum = ''] =
    /_v1_(.*)_(.*)$/.exec(codec.issue('gate_sk', idOf(0))) ?? [];
  const tokens = [
    `gate_sk_v1_…${checksum.slice(-4)}`,
    `gate_sk_v1_${payload}`,
    `gate_sk_v1_${payload.slice(0, 47)}_${checksum}`,
    `gate_sk_v1_${payload}_${checksum.slice(0, 15)}`,
    `gate_sk_v2_${payload}_${checksum}`,
    `GATE_SK_v1_${payload}_${checksum}`,
    `gate_sk_v1_${payload.replace(/^.{20}/, '0OIl'.repeat(5))}_${checksum}`,
    `gate_sk_v1_${'<payload>'.repeat(6)}_<checksum>`,
    `gate_sk_v1_${base58.encode(randomBytes(20))}_${checksum}`,
  ];
  expect(tokens.map(foundIn)).toEqual(tokens.map(() => []));
});
