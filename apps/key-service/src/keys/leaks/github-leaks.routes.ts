/**
 * Reports of GitHub's secret scanning partner program. A native route, because the signature is over
 * the bytes of the body. Who signs is known before the body is read.
 */
import { isUtf8 } from 'node:buffer';
import { type KeyObject } from 'node:crypto';
import { sha256 } from '@gatehouse/crypto';
import { ClientAddresses } from '@gatehouse/kit/clients';
import { DomainError, KitErrors } from '@gatehouse/kit/errors';
import { InputReader, invalidField } from '@gatehouse/kit/input';
import { type NativeRoutes } from '@gatehouse/nest-kit/http';
import { parameter, text } from '@gatehouse/nest-kit/openapi';
import { Injectable } from '@nestjs/common';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { KeyErrors } from '../../errors.js';
import { type NativeKeyOperation } from '../../api/openapi/operation.js';
import { callContextOf } from '../../api/call-context.js';
import { RequestInput } from '../../api/input.js';
import { GithubKeys, isSignedBy } from './github-keys.js';
import { type LeakReport } from './leak-report.js';
import { type LeakResult, LeaksService } from './leaks.service.js';

const KEY_ID_HEADER = 'github-public-key-identifier';
const SIGNATURE_HEADER = 'github-public-key-signature';
const KEY_ID = /^[\x21-\x7e]{1,256}$/;
const SIGNATURE = /^[A-Za-z0-9+/]{64,128}={0,2}$/;
const BODY_BYTES_MAX = 4 * 1024 * 1024;
const REPORTS_MAX = 10_000;
const URL_CHARACTERS_MAX = 2_048;
const NAME_CHARACTERS_MAX = 255;

export const GITHUB_LEAK_OPERATIONS: readonly NativeKeyOperation[] = [
  {
    method: 'post',
    path: '/v2alpha1/apiKeys:reportGithubLeaks',
    id: 'reportGithubLeaks',
    summary: 'Take a report of GitHub secret scanning',
    description: 'Signed by GitHub. Closed unless SECRET_SCANNING_KEYS_URL is set.',
    tag: 'Leaks',
    parameters: [
      parameter('header', 'Github-Public-Key-Identifier', text('Which key of GitHub signed.')),
      parameter('header', 'Github-Public-Key-Signature', text('ECDSA signature of the body.')),
    ],
    body: 'GithubLeakReport',
    answer: {
      status: 200,
      schema: 'GithubLeakFeedback',
      description: 'Whether each token is a secret of this service, in order.',
    },
    errors: [400, 401, 404, 413],
    isPublic: true,
  },
];

interface GithubReport extends LeakReport {
  /** The name of the pattern that found it. */
  readonly type: string;
}

@Injectable()
export class GithubLeaksRoutes implements NativeRoutes {
  private readonly signers = new WeakMap<FastifyRequest, KeyObject>();

  constructor(
    private readonly keys: GithubKeys,
    private readonly addresses: ClientAddresses,
    private readonly input: RequestInput,
    private readonly service: LeaksService,
  ) {}

  register(scope: FastifyInstance): void {
    const parseAs = { parseAs: 'buffer' } as const;
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser<Buffer>('application/json', parseAs, (_request, body, done) =>
      done(null, body),
    );
    scope.post(
      '/v2alpha1/apiKeys::reportGithubLeaks',
      { bodyLimit: BODY_BYTES_MAX, onRequest: (request) => this.findSigner(request) },
      (request, reply) => this.take(request, reply),
    );
  }

  private async findSigner(request: FastifyRequest): Promise<void> {
    if (!this.keys.isConfigured) throw new DomainError(KeyErrors.LEAK_REPORTS_CLOSED);
    this.input.checkParameters(request.query);
    const id = request.headers[KEY_ID_HEADER];
    const signature = request.headers[SIGNATURE_HEADER];
    const areGiven = typeof id === 'string' && typeof signature === 'string';
    if (!areGiven || !KEY_ID.test(id) || !SIGNATURE.test(signature)) throw notSigned();
    const key = await this.keys.find(id);
    if (!key) throw notSigned();
    this.signers.set(request, key);
  }

  private async take(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const key = this.signers.get(request);
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const signature = String(request.headers[SIGNATURE_HEADER]);
    if (!key || !isSignedBy(key, body, signature)) throw notSigned();
    const reports = readReports(body);
    const context = callContextOf(this.addresses, request, 'github');
    const results = await this.service.report(reports, context);
    return reply
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(reports.map((report, index) => feedbackOf(report, results[index]))));
  }
}

function notSigned(): DomainError {
  return new DomainError(KeyErrors.LEAK_SIGNATURE_INVALID);
}

/** GitHub may add members. What it writes about a place is left out rather than refused. */
function readReports(body: Buffer): GithubReport[] {
  if (!isUtf8(body)) throw new DomainError(KitErrors.NOT_UTF_8);
  const list = jsonOf(body);
  if (!Array.isArray(list) || list.length === 0 || list.length > REPORTS_MAX) {
    throw invalidField('body', `must be a list of 1 to ${REPORTS_MAX} objects`);
  }
  return list.map((item: unknown, index) => {
    const reader = InputReader.of(item ?? '', {}, `[${index}]`);
    const credential = reader.string('token') ?? '';
    if (credential === '') reader.addViolation('token', 'must not be empty', '');
    reader.throwIfInvalid();
    return {
      credential,
      type: shown(reader.raw('type'), NAME_CHARACTERS_MAX),
      url: shown(reader.raw('url'), URL_CHARACTERS_MAX),
      source: shown(reader.raw('source'), NAME_CHARACTERS_MAX),
    };
  });
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    throw invalidField('body', 'must be JSON');
  }
}

function shown(value: unknown, charactersMax: number): string {
  // Not cut: the end could be a part of a secret, which is not recognized.
  const text = typeof value === 'string' && value.length <= charactersMax ? value : '';
  return text.replaceAll(/[\p{Cc}\p{Cs}]/gu, '');
}

/** A hash in place of the token: no response of this service repeats a credential. */
function feedbackOf({ credential, type }: GithubReport, result?: LeakResult): object {
  return {
    token_hash: sha256(credential).toString('hex'),
    token_type: type,
    label: result?.isExposed ? 'true_positive' : 'false_positive',
  };
}
