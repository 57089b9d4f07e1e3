import { type NoticeFrame, pickLanguage, type Theme } from '@gatehouse/pages';
import { Injectable } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { type PageTexts, pageTexts } from '../pages/page-texts.js';
import { type CompiledSchema, SchemaCatalog } from '../schemas/schema-catalog.js';
import { Themes } from './themes.js';
import { FlowAddress } from './flow-address.js';
import { requireOpen, stateOf } from './flow-state.js';
import { type Flow } from './flow.types.js';
import { OpenFlows } from './open-flows.js';

export type FlowRequest = FastifyRequest<{ Params: { id: string } }>;

export interface EnteredFlow {
  flow: Flow;
  schema: CompiledSchema;
  theme: Theme;
}

/** Finds the flow of a request, and remembers how its error pages look and where they lead. */
@Injectable()
export class FlowEntry {
  private readonly frames = new WeakMap<FastifyRequest, NoticeFrame>();

  constructor(
    private readonly openFlows: OpenFlows,
    private readonly catalog: SchemaCatalog,
    private readonly themes: Themes,
    private readonly address: FlowAddress,
  ) {}

  /** @throws DomainError `not_found`, or `gone` when it has expired or was used */
  async enter(request: FlowRequest): Promise<EnteredFlow> {
    const flow = await this.openFlows.find(request.params.id);
    const entered = flow && (await this.withSchema(flow));
    if (entered) this.frames.set(request, this.frame(entered, request));
    return { ...(entered as EnteredFlow), flow: requireOpen(flow) };
  }

  /** A flow that was used, for its thank-you page. @throws DomainError `not_found` */
  async findUsed(request: FlowRequest): Promise<EnteredFlow> {
    return this.withSchema(await this.openFlows.findUsed(request.params.id));
  }

  frameOf(request: FastifyRequest | undefined): NoticeFrame {
    const { basePath } = this.address;
    const { base: theme } = this.themes;
    const known = request && this.frames.get(request);
    return known ?? { basePath, theme, next: wayBack(theme.home, request) };
  }

  private async withSchema(flow: Flow): Promise<EnteredFlow> {
    const schema = await this.catalog.get(flow.schemaId, flow.schemaVersion);
    return { flow, schema, theme: this.themes.of(schema.plan) };
  }

  private frame({ flow, theme }: EnteredFlow, request: FlowRequest): NoticeFrame {
    const { basePath } = this.address;
    if (flow.isSealed && stateOf(flow) === 'expired') {
      const href = `${basePath}/sign-up?schema=${encodeURIComponent(flow.schemaId)}`;
      return { basePath, theme, next: { href, text: textsFor(request).startAgain } };
    }
    return { basePath, theme, next: wayBack(theme.home ?? flow.returnTo, request) };
  }
}

function wayBack(
  href: string | null | undefined,
  request: FastifyRequest | undefined,
): NoticeFrame['next'] {
  return href == null ? undefined : { href, text: textsFor(request).goBack };
}

function textsFor(request: FastifyRequest | undefined): PageTexts {
  return pageTexts(pickLanguage(request?.headers['accept-language']));
}
