/**
 * Runs the code of docs/webhooks.md that verifies signatures, in each language that is installed, and
 * compares it with what the worker signs.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signStandardWebhook, webhookKeys } from '@gatehouse/crypto';
import ts from 'typescript';
import { workspace } from '#local-stack/layout.mjs';

interface Case {
  name: string;
  secret: string;
  headers: Record<string, string>;
  body: string;
  isValid: boolean;
}

const LIMIT_MS = 90_000;
const ENCODED = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const UNPADDED = 'whsec_c2VjcmV0LW9mLXR3ZW50eS1ieXRlcw';
const PLAIN = 'a secret of another form';
const BODY = '{"event":"user.created","data":{"first_name":"Zoë"}}';

const page = readFileSync(join(workspace, 'docs/webhooks.md'), 'utf8');

const PYTHON_DRIVER = `
import json
import sys


def accepts(case):
    try:
        verify(case["secret"], case["headers"], case["body"].encode())
        return True
    except Exception:
        return False


print(json.dumps([accepts(case) for case in json.load(sys.stdin)]))
`;

const GO_DRIVER = `package main

import (
	"encoding/json"
	"net/http"
	"os"
)

func main() {
	var cases []struct {
		Secret, Body string
		Headers      map[string]string
	}
	if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil {
		panic(err)
	}
	results := []bool{}
	for _, each := range cases {
		header := http.Header{}
		for name, value := range each.Headers {
			header.Set(name, value)
		}
		results = append(results, Verify(each.Secret, header, []byte(each.Body)) == nil)
	}
	if err := json.NewEncoder(os.Stdout).Encode(results); err != nil {
		panic(err)
	}
}
`;

/**
 * The Go code that was last run against the cases, for machines without Go. After a change of the
 * code, run the test where Go is installed; only if it passes, put the new digest here.
 */
const GO_CODE_SHA256 = 'b2a4d6e165e9354bcb7b1bc9da53dc65de228bb9bd44359aba15e943f169648d';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-webhooks-'));
});

afterAll(() => rmSync(folder, { recursive: true }));

it('the TypeScript code of the page accepts what is signed and nothing else', () => {
  check(casesFor('code'), (cases) => runTypeScript(block('ts'), cases));
});

it('so does the TypeScript library, as the page uses it', () => {
  check(casesFor('library'), (cases) => runTypeScript(block('ts library'), cases));
});

itWith('python3', ['--version'])('the Python code of the page does the same', () => {
  check(casesFor('code'), (cases) => runPython(block('python'), cases));
});

itWith('python3', ['-c', 'import standardwebhooks'])('so does the Python library', () => {
  check(casesFor('library'), (cases) => runPython(block('python library'), cases));
});

itWith('go', ['version'])('the Go code of the page does the same', () => {
  check(casesFor('code'), (cases) => {
    writeFileSync(join(folder, 'go.mod'), 'module webhooks\n\ngo 1.19\n');
    writeFileSync(
      join(folder, 'verify.go'),
      block('go').replace('package webhooks', 'package main'),
    );
    writeFileSync(join(folder, 'main.go'), GO_DRIVER);
    return run('go', ['run', '.'], folder, cases);
  });
});

it('the Go code of the page is the code that has passed the test with Go', () => {
  const digest = createHash('sha256').update(block('go')).digest('hex');
  assert.equal(digest, GO_CODE_SHA256);
});

it('the test vector of the page is what the worker sends', () => {
  const [secret, id, timestamp, body, signature] = [
    ...page.slice(page.indexOf('### Test vector')).matchAll(/^\| [^|]+ \| `([^|]+)` +\|$/gm),
  ].map(([, value = '']) => value);
  const message = { id: String(id), timestampSeconds: Number(timestamp), body: String(body) };
  const signed = signStandardWebhook({ ...message, keys: [webhookKeys(String(secret))] });
  assert.equal(signature, signed['webhook-signature']);
});

function casesFor(use: 'code' | 'library'): Case[] {
  const now = Math.floor(Date.now() / 1000);
  const signed = (secrets: string[], timestampSeconds = now) => ({
    ...signStandardWebhook({
      id: 'msg_1',
      timestampSeconds,
      body: BODY,
      keys: secrets.map(webhookKeys),
    }),
  });
  const request = { secret: ENCODED, headers: signed([ENCODED]), body: BODY };
  const { 'webhook-signature': signature } = request.headers;
  const withHeader = (name: string, value: string) => ({
    ...request,
    headers: { ...request.headers, [name]: value },
  });
  const valid = {
    'one signature': request,
    'a rotation, the new secret': { ...request, headers: signed([ENCODED, UNPADDED]) },
    'a rotation, the old secret': { ...request, headers: signed([UNPADDED, ENCODED]) },
    'another version beside': withHeader('webhook-signature', `v1a,AAAA ${signature}`),
    'four minutes old': { ...request, headers: signed([ENCODED], now - 240) },
    ...(use === 'code' && {
      'a secret without padding': { ...request, secret: UNPADDED, headers: signed([UNPADDED]) },
      'a secret of another form': { ...request, secret: PLAIN, headers: signed([PLAIN]) },
    }),
  };
  const invalid = {
    'another secret': { ...request, headers: signed([UNPADDED]) },
    'an altered body': { ...request, body: `${BODY} ` },
    'an altered id': withHeader('webhook-id', 'msg_2'),
    'an altered timestamp': withHeader('webhook-timestamp', String(now - 1)),
    'six minutes old': { ...request, headers: signed([ENCODED], now - 360) },
    'six minutes ahead': { ...request, headers: signed([ENCODED], now + 360) },
    'a timestamp that is no number': withHeader('webhook-timestamp', 'now'),
    'an empty signature': withHeader('webhook-signature', 'v1,'),
    'no headers': { ...request, headers: {} },
  };
  return [
    ...Object.entries(valid).map(([name, each]) => ({ ...each, name, isValid: true })),
    ...Object.entries(invalid).map(([name, each]) => ({ ...each, name, isValid: false })),
  ];
}

function check(cases: readonly Case[], accepted: (cases: readonly Case[]) => boolean[]): void {
  const results = accepted(cases);
  const wrong = cases.filter(({ isValid }, index) => results[index] !== isValid);
  assert.deepEqual(
    wrong.map(({ name }) => name),
    [],
  );
}

function runTypeScript(code: string, cases: readonly Case[]): boolean[] {
  const { ESNext } = ts.ModuleKind;
  const compilerOptions = { module: ESNext, target: ts.ScriptTarget.ESNext };
  const program = `${ts.transpileModule(code, { compilerOptions }).outputText}
    import { readFileSync } from 'node:fs';
    const accepts = ({ secret, headers, body }) => {
      try {
        verify(secret, headers, Buffer.from(body));
        return true;
      } catch {
        return false;
      }
    };
    console.log(JSON.stringify(JSON.parse(readFileSync(0, 'utf8')).map(accepts)));`;
  return run(process.execPath, ['--input-type=module', '--eval', program], workspace, cases);
}

function runPython(code: string, cases: readonly Case[]): boolean[] {
  return run('python3', ['-c', code + PYTHON_DRIVER], folder, cases);
}

function run(program: string, args: string[], cwd: string, cases: readonly Case[]): boolean[] {
  const input = JSON.stringify(cases);
  const env = { ...process.env, NODE_OPTIONS: '' };
  const options = { cwd, encoding: 'utf8', env, input, timeout: LIMIT_MS } as const;
  const { status, stdout, stderr } = spawnSync(program, args, options);
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout) as boolean[];
}

/** The code of the page with this language, and this word after it. */
function block(info: string): string {
  const [, code] = new RegExp(`^\`\`\`${info}\\n(.*?)^\`\`\`$`, 'ms').exec(page) ?? [];
  assert.ok(code, `the page has no code in ${info}`);
  return code;
}

/** A test that is skipped where a program is not installed. */
function itWith(program: string, args: string[]) {
  return spawnSync(program, args).status === 0 ? it : it.skip;
}
