import { createHash } from 'node:crypto';
import {
  type Decoded,
  type DecodeOptions,
  type FieldError,
  type FormEntry,
  type FormModel,
  type FormPlan,
  type JsonObject,
  type JsonValue,
  untouchedFields,
} from '@gatehouse/form-decoder';
import { DomainError } from '@gatehouse/kit/errors';
import { uuidv7 } from '@gatehouse/kit/ids';
import { Sql, type SqlExecutor } from '@gatehouse/kit/sql';
import { CSRF_FIELD } from '@gatehouse/pages';
import { Injectable } from '@nestjs/common';
import { IdentityFormsConfig } from '../config.js';
import { FormsErrors } from '../errors.js';
import { DEFAULT_DECODE_OPTIONS } from '../decoding/decode-options.js';
import { DecodingService } from '../decoding/decoding.service.js';
import { type FormBody } from '../decoding/form-body.js';
import { IdentityEventLog } from '../events/identity-event-log.js';
import { refusalMessage } from '../http/form-errors.js';
import { InvalidValuesError } from '../http/problem.js';
import { IdentitiesRepository } from '../identities/identities.repository.js';
import { IdentitiesService } from '../identities/identities.service.js';
import { type Identity, type WrittenIdentity } from '../identities/identity.types.js';
import {
  IdentifierTakenError,
  TraitsRefusedError,
  ValidatedTraits,
} from '../identities/validated-traits.js';
import { ACTION_FIELD, type RowAction } from '../pages/field-names.js';
import { type CompiledSchema } from '../schemas/schema-catalog.js';
import { endOf, requireOpen } from './flow-state.js';
import { type Flow } from './flow.types.js';
import { FlowsRepository } from './flows.repository.js';
import { SubmissionLimits } from './submission-limits.js';
import { applyRowAction, countRows, removedRows, withoutBlankRows } from './row-actions.js';

/** Fields of the pages that belong to no schema. */
const OWN_FIELDS: ReadonlySet<string> = new Set([CSRF_FIELD, ACTION_FIELD]);

/** What a form shows that was sent but not accepted. */
export interface Redrawn {
  value: JsonObject;
  /** The fields as they were sent; undefined for JSON. */
  sent: readonly FormEntry[] | undefined;
  /** The number of rows of the untouched form, by list. */
  rows: Readonly<Record<string, number>>;
}

/** The form before the person touched it. */
interface UntouchedForm {
  /** The value that it sends, in the format of a body. */
  shown: JsonObject;
  /** Its rows that the submission lacks; undefined for JSON, which sends lists as a whole. */
  removed: ReadonlySet<string> | undefined;
  rows: Readonly<Record<string, number>>;
}

/**
 * A submission that does not fit: its errors, and what to show again. Programs also get what they
 * sent, without its secrets.
 */
export class SubmissionRefusedError extends InvalidValuesError {
  constructor(
    override readonly errors: readonly FieldError[],
    readonly redrawn: Redrawn,
    sent: { value: JsonObject; ignored: string[] },
  ) {
    const ignored = sent.ignored.filter((name) => !OWN_FIELDS.has(name));
    const members = { traits: sent.value.traits as JsonValue, ignored };
    super(FormsErrors.FORM_REFUSED, errors, members, refusalMessage(errors, ignored));
  }
}

@Injectable()
export class FlowsService {
  constructor(
    private readonly flows: FlowsRepository,
    private readonly identities: IdentitiesService,
    private readonly identityRows: IdentitiesRepository,
    private readonly decoding: DecodingService,
    private readonly sql: Sql,
    private readonly log: IdentityEventLog,
    private readonly limits: SubmissionLimits,
    private readonly config: IdentityFormsConfig,
  ) {}

  /** @throws DomainError `permission_denied` when the flow was opened in another browser */
  async requireBrowser(flow: Flow, cookie: string): Promise<void> {
    if (!flow.isBound) return;
    const digest = createHash('sha256').update(cookie).digest();
    if (await this.flows.bind(flow, digest)) return;
    throw new DomainError(FormsErrors.FLOW_ELSEWHERE);
  }

  /**
   * The value that a form begins with: nothing, or the stored traits of a profile.
   * @throws DomainError `not_found`; `gone` when the identity was moved to another version
   */
  async initialValue(flow: Flow): Promise<JsonObject | undefined> {
    const identity = await this.identityOf(flow);
    return identity && traitsOf(identity);
  }

  /** What a form shows after a row button was pressed. */
  async afterRowAction(
    flow: Flow,
    schema: CompiledSchema,
    entries: readonly FormEntry[],
    action: RowAction,
  ): Promise<Redrawn> {
    const stored = await this.initialValue(flow);
    const rows = stored ? countRows(this.initialForm(schema, stored).nodes) : {};
    const sent = applyRowAction(entries, action, rows);
    const body = { entries: sent };
    const { value } = this.read(flow, schema, body, stored);
    if (!stored) return { value, sent, rows };
    const { shown, removed } = this.untouched(flow, schema, body, stored);
    return { value: schema.plan.replaceShown(stored, value, shown, removed), sent, rows };
  }

  /**
   * Uses the flow: creates the identity, or replaces the traits that the form shows, atomically. Of
   * two concurrent submissions exactly one succeeds. The form is decoded and validated before the
   * transaction, so a form that is refused writes nothing and holds no connection. A profile that
   * changes in between is decoded again, over its new traits.
   *
   * Identifiers are compared last. With SIGN_UP_ENUMERATION=hide a sign-up whose identifier is
   * taken uses the flow too, and the application receives an event.
   *
   * @returns undefined if the result of a sign-up must not be revealed
   * @throws SubmissionRefusedError; DomainError `gone` when the flow has been used or has expired since,
   *   or the identity was moved to another version of the schema
   */
  async submit(flow: Flow, schema: CompiledSchema, body: FormBody): Promise<Identity | undefined> {
    const isHiding = flow.kind === 'sign-up' && this.config.signUpEnumeration === 'hide';
    for (let attempt = 0; ; attempt += 1) {
      const known = await this.identityOf(flow);
      const { validated, refusal } = this.validate(flow, schema, body, known);
      if (attempt === 0) await this.limits.countIdentifiers(validated);
      try {
        const written = await this.sql.transaction((sql) =>
          this.write(sql, flow, known, validated),
        );
        if (written) {
          if (written.event) this.log.announce(written.event);
          return isHiding ? undefined : written.identity;
        }
      } catch (error) {
        if (isHiding && error instanceof IdentifierTakenError) {
          if (await this.repeat(flow, error)) return undefined;
          continue;
        }
        throw error instanceof TraitsRefusedError ? refusal(error.errors) : error;
      }
    }
  }

  /** @throws SubmissionRefusedError */
  private validate(
    flow: Flow,
    schema: CompiledSchema,
    body: FormBody,
    known: Identity | undefined,
  ): { validated: ValidatedTraits; refusal: (errors: readonly FieldError[]) => Error } {
    const { plan } = schema;
    const stored = known && traitsOf(known);
    const untouched = stored && this.untouched(flow, schema, body, stored);
    const after = ({ value }: Decoded) =>
      untouched ? plan.replaceShown(stored, value, untouched.shown, untouched.removed) : value;
    let decoded = this.read(flow, schema, body, stored);
    let value = after(decoded);
    let errors = plan.errors({ ...decoded, value });
    if (errors.length > 0 && 'entries' in body) {
      decoded = plan.withoutUntouched(decoded, errors);
      value = after(decoded);
      errors = plan.errors({ ...decoded, value });
    }
    const sent = { value: plan.withoutSecrets(decoded.value), ignored: decoded.ignored };
    const entries = 'entries' in body ? body.entries : undefined;
    const redrawn = { value, sent: entries, rows: untouched?.rows ?? {} };
    const refusal = (found: readonly FieldError[]) =>
      new SubmissionRefusedError(found, redrawn, sent);
    if (errors.length > 0) throw refusal(errors);
    return { validated: ValidatedTraits.of(schema, value, errors), refusal };
  }

  /** @returns undefined when the identity has changed since it was read */
  private async write(
    sql: SqlExecutor,
    flow: Flow,
    known: Identity | undefined,
    validated: ValidatedTraits,
  ): Promise<WrittenIdentity | undefined> {
    // Locks the identity before the flow, in the order in which deleting an identity locks both.
    const isUnchanged = !known || (await this.identities.lockUnchanged(sql, known));
    if (!isUnchanged) {
      // Another submission of this flow may have changed the identity.
      requireOpen(await this.flows.find(flow.idDigest, sql));
      return undefined;
    }
    const identityId = known?.id ?? uuidv7();
    await this.use(sql, flow, identityId);
    return known
      ? this.identityRows.update(sql, known, validated, flow.id)
      : this.identityRows.create(sql, validated, { id: identityId, flowId: flow.id });
  }

  /** Uses a sign-up whose identifier is taken. @returns false when it has been released since */
  private async repeat(flow: Flow, { holderId }: IdentifierTakenError): Promise<boolean> {
    if (holderId === undefined) return false;
    const event = await this.sql.transaction(async (sql) => {
      await this.use(sql, flow, null);
      return this.identityRows.recordRepeated(sql, { ...flow, id: holderId }, flow.id);
    });
    this.log.announce(event);
    return true;
  }

  /** @throws DomainError `gone` when the flow has been used or has expired since */
  private async use(sql: SqlExecutor, flow: Flow, identityId: string | null): Promise<void> {
    if (await this.flows.use(sql, flow, identityId)) return;
    throw endOf((await this.flows.find(flow.idDigest, sql)) ?? flow);
  }

  /** The identity of a profile flow. @throws DomainError `not_found`; `gone` when it was moved */
  private async identityOf(flow: Flow): Promise<Identity | undefined> {
    if (flow.identityId === null) return undefined;
    const identity = await this.identities.get(flow.identityId);
    // Its fields are no longer those of the form.
    if (identity.schemaVersion !== flow.schemaVersion) {
      throw new DomainError(FormsErrors.FLOW_EXPIRED);
    }
    return identity;
  }

  private initialForm({ plan }: CompiledSchema, stored: JsonObject): FormModel {
    return plan.form(stored, [], { timeZone: this.config.timeZone });
  }

  private untouched(
    flow: Flow,
    schema: CompiledSchema,
    body: FormBody,
    stored: JsonObject,
  ): UntouchedForm {
    const { plan } = schema;
    const { timeZone } = this.config;
    const { nodes } = this.initialForm(schema, stored);
    const fields = untouchedFields(nodes, 'entries' in body);
    const options = { ...decodeOptions(flow, plan, stored), timeZone };
    return {
      shown: plan.decode(withoutBlankRows(fields), options).value,
      removed: 'entries' in body ? removedRows(fields, body.entries) : undefined,
      rows: countRows(nodes),
    };
  }

  private read(flow: Flow, { plan }: CompiledSchema, body: FormBody, stored?: JsonObject) {
    const filled = 'entries' in body ? { entries: withoutBlankRows(body.entries) } : body;
    const options = decodeOptions(flow, plan, stored);
    return this.decoding.read(plan, filled, { ...DEFAULT_DECODE_OPTIONS, ...options });
  }
}

function decodeOptions(flow: Flow, plan: FormPlan, stored?: JsonObject): DecodeOptions {
  return {
    // In a profile a blank answer clears the stored one; in a sign-up there is nothing to clear.
    emptyNullable: flow.kind === 'profile' ? 'null' : 'missing',
    // Stored traits that the form does not send help to decide which fields there are.
    beneath: stored && plan.replaceShown(stored, {}),
  };
}

function traitsOf(identity: Identity): JsonObject {
  return { traits: identity.traits } as JsonObject;
}
