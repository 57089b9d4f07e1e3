/** Shows the pages of a flow: its form, its form with errors, and the thank-you page. */
import { type FieldError, type FormModel } from '@gatehouse/form-decoder';
import {
  csrfToken,
  noticePage,
  PageCookie,
  pickLanguage,
  sendPage,
  wantsJson,
} from '@gatehouse/pages';
import { DomainError } from '@gatehouse/kit/errors';
import { Injectable } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { IdentityFormsConfig } from '../config.js';
import { FormsErrors } from '../errors.js';
import { formPage } from '../pages/form.page.js';
import { pageTexts } from '../pages/page-texts.js';
import { FLOW_COOKIE } from './flow-cookie.js';
import { FlowAddress } from './flow-address.js';
import { formModel, modelJson, withoutBlankReadOnly } from './flow-view.js';
import { type Flow } from './flow.types.js';
import { type EnteredFlow, FlowEntry, type FlowRequest } from './flow-entry.js';
import { FlowsService, type Redrawn } from './flows.service.js';
import { focusAfter } from './row-actions.js';
import { type RowAction } from '../pages/field-names.js';

/** Rows, of all lists together, up to which a form that was refused is shown again. */
const ROWS_SHOWN_MAX = 100;

export interface FormState extends Partial<Redrawn> {
  errors?: readonly FieldError[];
  /** The cookie of this browser, unless it is in the request. */
  cookie?: string;
  /** Whether the value was sent, and not read from the store. */
  isSent?: boolean;
  /** The row button that was pressed. */
  action?: RowAction;
}

@Injectable()
export class FlowPages {
  constructor(
    private readonly entry: FlowEntry,
    private readonly flows: FlowsService,
    private readonly address: FlowAddress,
    private readonly config: IdentityFormsConfig,
  ) {}

  async show(request: FlowRequest, reply: FastifyReply): Promise<FastifyReply> {
    const entered = await this.entry.enter(request);
    // A form is submitted with a token that only this page contains, so submissions need no check.
    const cookie = this.cookieOf(request, reply, entered.flow);
    await this.flows.requireBrowser(entered.flow, cookie);
    const value = await this.flows.initialValue(entered.flow);
    return this.sendForm(request, reply, entered, { value, cookie });
  }

  /** The form with its values and errors. It `isCut` if it has more rows than are shown again. */
  modelOf(
    request: FlowRequest,
    { flow, schema }: EnteredFlow,
    { value, errors = [], sent, rows, isSent = false }: FormState,
  ): FormModel {
    const language = pickLanguage(request.headers['accept-language']);
    const { timeZone } = this.config;
    const rowsShownMax = isSent ? ROWS_SHOWN_MAX : undefined;
    const view = { language, timeZone, sent, rows, rowsShownMax };
    const shown = formModel(schema.plan, value, errors, view);
    return flow.kind === 'sign-up' ? withoutBlankReadOnly(shown) : shown;
  }

  /** Sends the form with the status that the reply already has. */
  sendForm(
    request: FlowRequest,
    reply: FastifyReply,
    entered: EnteredFlow,
    state: FormState,
  ): FastifyReply {
    const { flow, theme } = entered;
    const { cookie, action } = state;
    const model = this.modelOf(request, entered, state);
    if (model.isCut) throw tooManyRows(ROWS_SHOWN_MAX);
    const path = this.address.pathOf(request.params.id);
    const token = csrfToken(flow.csrfKey, cookie ?? this.cookieOf(request, reply, flow));
    if (wantsJson(request)) {
      return reply.header('cache-control', 'no-store').send({
        id: flow.id,
        kind: flow.kind,
        expires_at: flow.expiresAt.toISOString(),
        action: path,
        method: 'POST',
        csrf_token: token,
        ...modelJson(model),
      });
    }
    const page = formPage(model, {
      kind: flow.kind,
      action: path,
      csrfToken: token,
      basePath: this.address.basePath,
      theme,
      focus: action && focusAfter(model, action),
    });
    return sendPage(reply, page, { theme, returnTo: flow.returnTo });
  }

  async done(request: FlowRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { flow, theme } = await this.entry.findUsed(request);
    const language = pickLanguage(request.headers['accept-language']);
    const texts = pageTexts(language);
    const notice = flow.kind === 'sign-up' ? texts.doneSignUp : texts.doneProfile;
    const { basePath } = this.address;
    const next = theme.home === undefined ? undefined : { href: theme.home, text: texts.goOn };
    const page = noticePage({ ...notice, isDone: true }, { language, basePath, theme, next });
    return sendPage(reply, page, { theme });
  }

  /** The flow's cookie in this browser; sets one if it is missing. */
  private cookieOf(request: FlowRequest, reply: FastifyReply, flow: Flow): string {
    const path = this.address.pathOf(request.params.id);
    const { isSecure } = this.address;
    const known = FLOW_COOKIE.read(request.headers, isSecure);
    if (known !== undefined) return known;
    const cookie = PageCookie.newValue();
    reply.header(
      'set-cookie',
      FLOW_COOKIE.header(cookie, { path, isSecure, expiresAt: flow.expiresAt }),
    );
    return cookie;
  }
}

/** Rows that a page leaves out would be lost when it is sent again, so it is not shown at all. */
function tooManyRows(limit: number): DomainError {
  return new DomainError(FormsErrors.LIMIT_ROWS, {
    message: `The form has more than ${limit} rows, which is more than a page shows.`,
    metadata: { limit: String(limit) },
  });
}
