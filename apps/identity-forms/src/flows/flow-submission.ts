/** Accepts a submission: checks its origin, then saves it or shows the form again. */
import { type JsonObject, type JsonValue } from '@gatehouse/form-decoder';
import {
  CSRF_FIELD,
  isCsrfToken,
  isForeign,
  pickLanguage,
  seeOther,
  wantsJson,
} from '@gatehouse/pages';
import { Injectable } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { DomainError } from '@gatehouse/kit/errors';
import { FormsErrors } from '../errors.js';
import { type FormBody, readFormBody } from '../decoding/form-body.js';
import { InvalidValuesError } from '../http/problem.js';
import { identityResponse, type IdentityResponse } from '../identities/identity.dto.js';
import { type Identity } from '../identities/identity.types.js';
import { type CompiledSchema } from '../schemas/schema-catalog.js';
import { FLOW_COOKIE } from './flow-cookie.js';
import { FlowAddress } from './flow-address.js';
import { type EnteredFlow, FlowEntry, type FlowRequest } from './flow-entry.js';
import { FlowPages } from './flow-pages.js';
import { type Flow } from './flow.types.js';
import { FlowsService, SubmissionRefusedError } from './flows.service.js';
import { rowActionOf } from './row-actions.js';
import { SubmissionLimits } from './submission-limits.js';

@Injectable()
export class FlowSubmission {
  constructor(
    private readonly entry: FlowEntry,
    private readonly flows: FlowsService,
    private readonly pages: FlowPages,
    private readonly address: FlowAddress,
    private readonly limits: SubmissionLimits,
  ) {}

  async submit(request: FlowRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (isForeign(request.headers, this.address.ownOrigins(request))) {
      throw csrfRefused('it came from another site');
    }
    const entered = await this.entry.enter(request);
    const { flow, schema } = entered;
    await this.limits.countSubmission(request, flow);
    const body = readFormBody(request, schema.plan.limits);
    this.checkToken(request, flow, body);

    const action = 'entries' in body ? rowActionOf(body.entries) : undefined;
    if (action && 'entries' in body) {
      const redrawn = await this.flows.afterRowAction(flow, schema, body.entries, action);
      return this.pages.sendForm(request, reply, entered, { ...redrawn, isSent: true, action });
    }
    try {
      const identity = await this.flows.submit(flow, schema, body);
      return this.sendSuccess(request, reply, flow, identity && shown(schema, identity));
    } catch (error) {
      if (!(error instanceof SubmissionRefusedError)) throw error;
      return this.sendRefusal(request, reply, entered, error);
    }
  }

  private checkToken(request: FlowRequest, flow: Flow, body: FormBody): void {
    const cookie = FLOW_COOKIE.read(request.headers, this.address.isSecure);
    if (cookie === undefined) throw csrfRefused('the cookie of the form is missing');
    const token = tokenOf(body);
    if (token === undefined) throw csrfRefused('the field csrf_token is missing');
    if (!isCsrfToken(flow.csrfKey, cookie, token)) {
      throw csrfRefused('the field csrf_token does not belong to this form');
    }
  }

  private sendSuccess(
    request: FlowRequest,
    reply: FastifyReply,
    flow: Flow,
    identity: object | undefined,
  ): FastifyReply {
    reply.header('cache-control', 'no-store');
    if (wantsJson(request)) {
      if (!identity) return reply.code(202).send({ flow_id: flow.id });
      return reply.code(flow.kind === 'sign-up' ? 201 : 200).send(identity);
    }
    const donePath = `${this.address.pathOf(request.params.id)}/done`;
    return seeOther(reply, returnUrl(flow) ?? donePath);
  }

  private sendRefusal(
    request: FlowRequest,
    reply: FastifyReply,
    entered: EnteredFlow,
    refused: SubmissionRefusedError,
  ): FastifyReply {
    const { redrawn, errors } = refused;
    const state = { ...redrawn, errors, isSent: true };
    if (!wantsJson(request)) {
      return this.pages.sendForm(request, reply.code(422), entered, state);
    }
    const language = pickLanguage(request.headers['accept-language']);
    const localized = entered.schema.plan.localize(errors, language);
    const form = this.pages.modelOf(request, entered, state);
    const members = form.isCut ? refused.members : { ...refused.members, form };
    throw new InvalidValuesError(refused.definition, localized, members, refused.message);
  }
}

/** An identity as the person who entered it may see it. */
function shown({ plan }: CompiledSchema, identity: Identity): IdentityResponse {
  const { traits } = plan.withoutSecrets({ traits: identity.traits as JsonObject });
  return { ...identityResponse(identity), traits: traits as JsonObject };
}

/** The address to return to. Its `flow` parameter lets the application request the result. */
function returnUrl({ id, returnTo }: Flow): string | undefined {
  if (returnTo === null) return undefined;
  const url = new URL(returnTo);
  url.searchParams.set('flow', id);
  return url.href;
}

/** The CSRF token of a urlencoded, multipart or JSON submission. */
function tokenOf(body: FormBody): string | undefined {
  if ('entries' in body) return body.entries.find(([name]) => name === CSRF_FIELD)?.[1];
  const { json } = body;
  const token: JsonValue | undefined =
    typeof json === 'object' && json !== null && !Array.isArray(json)
      ? json[CSRF_FIELD]
      : undefined;
  return typeof token === 'string' ? token : undefined;
}

function csrfRefused(reason: string): DomainError {
  return new DomainError(FormsErrors.CSRF, { message: `The submission was refused: ${reason}.` });
}
