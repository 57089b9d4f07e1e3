// Generated from the API descriptions: UPDATE_SNAPSHOTS=1 npm test -- --tier checks --filter api/client
export type ClientOptions = {
    baseUrl: `${string}://${string}` | (string & {});
};

export type FormsEventRecord = {
    event: 'identity.created' | 'identity.updated' | 'identity.deleted' | 'identity.sign_up_repeated';
    /**
     * See /events/catalogue.json.
     */
    data: {
        [key: string]: unknown;
    };
    /**
     * The same for every delivery of this event.
     */
    id: string;
    /**
     * Ascending, with gaps.
     */
    sequence: number;
    created_at: string;
    state: EventState;
    /**
     * The oldest first.
     */
    attempts: Array<EventAttempt>;
};

export type EventAttempt = {
    endpoint_id: string;
    at: string;
    /**
     * Null without a response.
     */
    status_code: number | null;
    duration_ms: number;
    error: string | null;
};

/**
 * Pending: an endpoint is still to receive it. Dead: parked, because an endpoint refused it while it accepted others. Not sent: no endpoint received it when it was logged.
 */
export type EventState = 'pending' | 'delivered' | 'dead' | 'not_sent';

export type FormsEventList = {
    events: Array<FormsLoggedEvent>;
    /**
     * Empty on the last page.
     */
    next_page_token: string;
};

export type FormsLoggedEvent = {
    event: 'identity.created' | 'identity.updated' | 'identity.deleted' | 'identity.sign_up_repeated';
    /**
     * See /events/catalogue.json.
     */
    data: {
        [key: string]: unknown;
    };
    /**
     * The same for every delivery of this event.
     */
    id: string;
    /**
     * Ascending, with gaps.
     */
    sequence: number;
    created_at: string;
};

export type FormsEventReplay = {
    /**
     * The id of the event after which the replay begins.
     */
    after?: string;
    /**
     * The time at which it begins, instead of after.
     */
    from_time?: string;
    /**
     * The time at which it ends; by default now.
     */
    until?: string;
    /**
     * Null: all types.
     */
    types?: Array<'identity.created' | 'identity.updated' | 'identity.deleted' | 'identity.sign_up_repeated'> | null;
    /**
     * The only endpoint to receive it; by default all.
     */
    endpoint_id?: string;
};

export type FormsWebhookEndpointList = {
    webhook_endpoints: Array<FormsWebhookEndpoint>;
};

export type FormsWebhookEndpoint = {
    id: string;
    url: string;
    /**
     * Null: all types.
     */
    types: Array<'identity.created' | 'identity.updated' | 'identity.deleted' | 'identity.sign_up_repeated'> | null;
    header_names: Array<string>;
    logs_attempts: boolean;
    on_poison: 'park' | 'block';
    state: 'healthy' | 'failing' | 'paused' | 'stopped';
    /**
     * Why it is not healthy.
     */
    reason: string | null;
    /**
     * Attempts that failed since the last success.
     */
    failures: number;
    failing_since: string | null;
    last_success_at: string | null;
    /**
     * Null: with the next event, or never.
     */
    next_attempt_at: string | null;
    created_at: string;
    updated_at: string;
};

export type FormsWebhookEndpointSecret = {
    id: string;
    url: string;
    /**
     * Null: all types.
     */
    types: Array<'identity.created' | 'identity.updated' | 'identity.deleted' | 'identity.sign_up_repeated'> | null;
    header_names: Array<string>;
    logs_attempts: boolean;
    on_poison: 'park' | 'block';
    state: 'healthy' | 'failing' | 'paused' | 'stopped';
    /**
     * Why it is not healthy.
     */
    reason: string | null;
    /**
     * Attempts that failed since the last success.
     */
    failures: number;
    failing_since: string | null;
    last_success_at: string | null;
    /**
     * Null: with the next event, or never.
     */
    next_attempt_at: string | null;
    created_at: string;
    updated_at: string;
    /**
     * Shown once.
     */
    secret: string;
};

export type FormsWebhookEndpointChanges = {
    /**
     * An http or https address. A private one needs WEBHOOK_ALLOW_PRIVATE.
     */
    url?: string;
    /**
     * Null: all types.
     */
    types?: Array<'identity.created' | 'identity.updated' | 'identity.deleted' | 'identity.sign_up_repeated'> | null;
    /**
     * At most 16 headers that every webhook carries. Their values are never shown.
     */
    headers?: {
        [key: string]: string;
    } | null;
    /**
     * Whether attempts keep their payload and the start of the response.
     */
    logs_attempts?: boolean;
    /**
     * Handling of an event that the endpoint refuses while it accepts others: it is parked, or it blocks those that follow.
     */
    on_poison?: 'park' | 'block';
};

export type FormsWebhookEndpointInput = {
    /**
     * An http or https address. A private one needs WEBHOOK_ALLOW_PRIVATE.
     */
    url: string;
    /**
     * Null: all types.
     */
    types?: Array<'identity.created' | 'identity.updated' | 'identity.deleted' | 'identity.sign_up_repeated'> | null;
    /**
     * At most 16 headers that every webhook carries. Their values are never shown.
     */
    headers?: {
        [key: string]: string;
    } | null;
    /**
     * Whether attempts keep their payload and the start of the response.
     */
    logs_attempts?: boolean;
    /**
     * Handling of an event that the endpoint refuses while it accepts others: it is parked, or it blocks those that follow.
     */
    on_poison?: 'park' | 'block';
    /**
     * 16 to 512 printable characters. Generated if left out.
     */
    secret?: string;
};

export type ListNode = {
    kind: 'list' | 'rows';
    /**
     * The name to submit under.
     */
    name: string;
    pointer: string;
    label: string;
    hint?: string;
    required: boolean;
    /**
     * It may be left out even where the object around it is given.
     */
    optional: boolean;
    /**
     * Shown, and never read from a form.
     */
    readOnly: boolean;
    errors: Array<FieldError>;
    when?: {
        name: string;
        values: Array<string>;
    };
    rows: Array<FormNode>;
    entryTitle?: string;
    rowsMin: number;
    rowsMax: number;
};

export type FormNode = ({
    kind: 'input' | 'textarea';
} & InputNode) | ({
    kind: 'checkbox';
} & CheckboxNode) | ({
    kind: 'select' | 'radios' | 'checkboxes';
} & ChoiceNode) | ({
    kind: 'group';
} & GroupNode) | ({
    kind: 'list' | 'rows';
} & ListNode);

export type GroupNode = {
    kind: 'group';
    /**
     * The name to submit under.
     */
    name: string;
    pointer: string;
    label: string;
    hint?: string;
    required: boolean;
    /**
     * It may be left out even where the object around it is given.
     */
    optional: boolean;
    /**
     * Shown, and never read from a form.
     */
    readOnly: boolean;
    errors: Array<FieldError>;
    when?: {
        name: string;
        values: Array<string>;
    };
    children: Array<FormNode>;
};

export type FieldError = {
    pointer: string;
    name?: string;
    code: string;
    /**
     * The number that Kratos gives it.
     */
    id?: number;
    /**
     * In the language of Accept-Language.
     */
    message: string;
    params?: {
        [key: string]: unknown;
    };
};

export type ChoiceNode = {
    kind: 'select' | 'radios' | 'checkboxes';
    /**
     * The name to submit under.
     */
    name: string;
    pointer: string;
    label: string;
    hint?: string;
    required: boolean;
    /**
     * It may be left out even where the object around it is given.
     */
    optional: boolean;
    /**
     * Shown, and never read from a form.
     */
    readOnly: boolean;
    errors: Array<FieldError>;
    when?: {
        name: string;
        values: Array<string>;
    };
    type: 'text' | 'number';
    options: Array<{
        value: string;
        label: string;
        selected: boolean;
    }>;
    attributes: {
        [key: string]: unknown;
    };
};

export type CheckboxNode = {
    kind: 'checkbox';
    /**
     * The name to submit under.
     */
    name: string;
    pointer: string;
    label: string;
    hint?: string;
    required: boolean;
    /**
     * It may be left out even where the object around it is given.
     */
    optional: boolean;
    /**
     * Shown, and never read from a form.
     */
    readOnly: boolean;
    errors: Array<FieldError>;
    when?: {
        name: string;
        values: Array<string>;
    };
    checked: boolean;
};

export type InputNode = {
    kind: 'input' | 'textarea';
    /**
     * The name to submit under.
     */
    name: string;
    pointer: string;
    label: string;
    hint?: string;
    required: boolean;
    /**
     * It may be left out even where the object around it is given.
     */
    optional: boolean;
    /**
     * Shown, and never read from a form.
     */
    readOnly: boolean;
    errors: Array<FieldError>;
    when?: {
        name: string;
        values: Array<string>;
    };
    type: string;
    value: string;
    attributes: {
        [key: string]: unknown;
    };
};

export type FormModel = {
    title: string;
    description?: string;
    language: string;
    nodes: Array<FormNode>;
    /**
     * Errors that belong to no field.
     */
    errors: Array<FieldError>;
};

export type UiNode = {
    type: 'input';
    group: 'default';
    attributes: {
        [key: string]: unknown;
    };
    messages: Array<{
        id: number;
        text: string;
        type: string;
        context: {
            [key: string]: unknown;
        };
    }>;
    meta: {
        label?: {
            id: number;
            text: string;
            type: string;
            context: {
                [key: string]: unknown;
            };
        };
    };
};

export type SchemaPreview = {
    title: string;
    description?: string;
    language: 'en' | 'de' | 'fr' | 'es';
    /**
     * As Kratos's `ui.nodes`.
     */
    nodes: Array<UiNode>;
    form: FormModel;
    /**
     * Its fields for a page that has the stylesheet of the pages, with a button that does nothing.
     */
    html: string;
    /**
     * Parts of the schema without effect, or ambiguous ones.
     */
    warnings: Array<SchemaWarning>;
};

export type SchemaWarning = {
    pointer: string;
    code: string;
    message: string;
};

export type FormView = {
    schema_id: string;
    schema_version: number;
    title: string;
    description?: string;
    language: 'en' | 'de' | 'fr' | 'es';
    /**
     * As Kratos's `ui.nodes`.
     */
    nodes: Array<UiNode>;
    form: FormModel;
};

export type Decoded = {
    /**
     * As far as they were understood: an object, unless something else was sent.
     */
    traits: unknown;
    /**
     * Names without a place in the schema.
     */
    ignored: Array<string>;
};

export type FlowResponse = {
    id: string;
    kind: 'sign-up' | 'profile';
    state: 'open' | 'completed' | 'expired';
    schema_id: string;
    schema_version: number;
    /**
     * The identity that was created or changed; of an open sign-up, null.
     */
    identity_id: string | null;
    created_at: string;
    expires_at: string;
    completed_at: string | null;
};

export type StartedFlowResponse = {
    /**
     * The name of the flow. It opens nothing.
     */
    id: string;
    /**
     * Opens the form: give it to the person alone.
     */
    url: string;
    expires_at: string;
};

export type FlowInput = {
    kind: 'sign-up' | 'profile';
    /**
     * For a sign-up.
     */
    schema_id?: string;
    /**
     * For a profile.
     */
    identity_id?: string;
    /**
     * Within ALLOWED_RETURN_URLS.
     */
    return_to?: string;
    /**
     * Only the first browser that opens the form may go on.
     */
    same_browser?: boolean;
    /**
     * A duration of at most 30 days.
     */
    ttl?: string;
};

export type FormsKeyLink = {
    /**
     * What happens to keys whose actor is deleted.
     */
    on_delete: 'off' | 'pause' | 'revoke';
    /**
     * Before the id of an identity, in the actor_id of keys.
     */
    actor_prefix?: string;
    /**
     * Rises with each change.
     */
    revision: number;
    updated_at: string;
};

export type FormsKeyLinkInput = {
    /**
     * What happens to keys whose actor is deleted.
     */
    on_delete: 'off' | 'pause' | 'revoke';
    /**
     * Before the id of an identity, in the actor_id of keys.
     */
    actor_prefix?: string;
};

export type IdentityChanges = {
    /**
     * Merged into the stored traits member by member; null removes a member.
     */
    traits?: {
        [key: string]: unknown;
    };
    /**
     * Moves the identity to this version of its schema.
     */
    schema_version?: number;
};

export type IdentityInput = {
    /**
     * The id of an imported identity; a new one by default.
     */
    id?: string;
    schema_id: string;
    /**
     * The current version by default.
     */
    schema_version?: number;
    traits: {
        [key: string]: unknown;
    };
};

export type SearchHit = {
    kind: 'identity' | 'schema' | 'flow' | 'event' | 'webhook_endpoint';
    id: string;
    /**
     * An identifier, the title of a schema, a URL, a type; else the id.
     */
    title: string;
    /**
     * One more line, such as the state.
     */
    detail: string;
    /**
     * Empty: nothing here belongs to a directory.
     */
    parent_id: string;
};

export type SearchHits = {
    hits: Array<SearchHit>;
    /**
     * Whether a kind has more hits than this response: search for more of the text.
     */
    is_more: boolean;
};

export type AuditEventListResponse = {
    audit_events: Array<FormsAuditEvent>;
    /**
     * Empty on the last page.
     */
    next_page_token: string;
};

export type FormsAuditEvent = {
    event_id: string;
    type: string;
    /**
     * The id of the schema, identity or flow; empty for a refused call.
     */
    target_id: string;
    /**
     * The id of the administrator; never a credential.
     */
    caller: string;
    /**
     * The address of the client; empty if it is unknown.
     */
    ip: string;
    request_id: string;
    create_time: string;
    /**
     * Names of the fields that were sent; never values.
     */
    details: {
        [key: string]: unknown;
    };
};

export type IdentityListResponse = {
    identities: Array<IdentityResponse>;
    /**
     * Empty on the last page.
     */
    next_page_token: string;
};

export type IdentityResponse = {
    id: string;
    schema_id: string;
    /**
     * The version by which the traits were last checked.
     */
    schema_version: number;
    traits: {
        [key: string]: unknown;
    };
    created_at: string;
    updated_at: string;
};

export type SchemaListResponse = {
    schemas: Array<SchemaResponse>;
    /**
     * Empty on the last page.
     */
    next_page_token: string;
};

export type SchemaResponse = {
    id: string;
    /**
     * The version that this answer shows.
     */
    version: number;
    /**
     * The version that counts when none is named.
     */
    current_version: number;
    public: boolean;
    created_at: string;
    schema: {
        [key: string]: unknown;
    };
};

export type WrittenSchemaResponse = {
    id: string;
    /**
     * The version that this answer shows.
     */
    version: number;
    /**
     * The version that counts when none is named.
     */
    current_version: number;
    public: boolean;
    created_at: string;
    schema: {
        [key: string]: unknown;
    };
    /**
     * Parts of the schema without effect, or ambiguous ones.
     */
    warnings: Array<SchemaWarning>;
};

export type SchemaInput = {
    /**
     * JSON Schema, draft-07, with an object at properties.traits.
     */
    schema: {
        [key: string]: unknown;
    };
    /**
     * Whether anyone may start a sign-up with it at /sign-up?schema=<id>.
     */
    public?: boolean;
    id: string;
};

export type SchemaVersionInput = {
    /**
     * JSON Schema, draft-07, with an object at properties.traits.
     */
    schema: {
        [key: string]: unknown;
    };
    /**
     * Whether anyone may start a sign-up with it at /sign-up?schema=<id>.
     */
    public?: boolean;
};

export type SchemaPreviewInput = {
    /**
     * JSON Schema, draft-07, with an object at properties.traits.
     */
    schema: {
        [key: string]: unknown;
    };
};

export type DirectoriesKeyLink = {
    tenant: string;
    product: string;
    /**
     * What of a user is the actor_id of keys: id, userName, externalId, email, or a custom attribute.
     */
    attribute: string;
    /**
     * Put before the value. Ends with a separator.
     */
    actor_prefix: string;
    /**
     * Only addresses at these domains, for email and userName.
     */
    email_domains: Array<string>;
    /**
     * The identity provider of the tenant may name any actor.
     */
    all_actors: boolean;
    /**
     * What happens to the keys of a person whom no directory has active.
     */
    on_deactivate: 'off' | 'pause' | 'revoke';
    /**
     * The same for a person whom no directory has.
     */
    on_delete: 'off' | 'pause' | 'revoke';
    /**
     * Rises with each change.
     */
    revision: number;
    created_at: string;
    updated_at: string;
};

export type DirectoriesKeyLinkInput = {
    tenant: string;
    product: string;
    /**
     * What of a user is the actor_id of keys: id, userName, externalId, email, or a custom attribute.
     */
    attribute: string;
    /**
     * Put before the value. Ends with a separator.
     */
    actor_prefix?: string;
    /**
     * Only addresses at these domains, for email and userName.
     */
    email_domains?: Array<string>;
    /**
     * The identity provider of the tenant may name any actor.
     */
    all_actors?: boolean;
    /**
     * What happens to the keys of a person whom no directory has active.
     */
    on_deactivate?: 'off' | 'pause' | 'revoke';
    /**
     * The same for a person whom no directory has.
     */
    on_delete?: 'off' | 'pause' | 'revoke';
};

export type RolePreview = {
    /**
     * Users that were compared.
     */
    users: number;
    /**
     * False if the directory was too large to compare all of its users.
     */
    is_complete: boolean;
    /**
     * Users whose roles would change.
     */
    users_changed: number;
    roles: Array<{
        role: string;
        gained: number;
        lost: number;
    }>;
    /**
     * In the order of the rules.
     */
    groups: Array<number>;
    /**
     * The first of these users, at most 100.
     */
    examples: Array<{
        user: {
            id: string;
            first_name: string;
            last_name: string;
            email: string;
            active: boolean;
        };
        previous: Array<string>;
        current: Array<string>;
    }>;
};

export type RoleMapping = {
    /**
     * Role of users to whom no rule applies.
     */
    default_role: string | null;
    /**
     * Whether all rules count that apply to a user, or the one with the highest priority.
     */
    mode: 'all' | 'highest';
    rules: Array<{
        group: RoleGroup;
        role: string;
        /**
         * If rules have the same priority, the first applies.
         */
        priority: number;
        /**
         * How many groups the rule applies to, those inside its groups included.
         */
        groups: number;
    }>;
    progress: {
        state: 'applying' | 'applied' | 'removing';
        /**
         * The users of the directory when the rules changed.
         */
        users_total: number;
        users_processed: number;
        /**
         * Users whose roles the change of the rules has changed.
         */
        users_changed: number;
        /**
         * When the rules changed.
         */
        updated_at: string;
        /**
         * Null until all users have the roles of these rules.
         */
        applied_at: string | null;
    };
};

/**
 * Exactly one of these. The group may not exist yet.
 */
export type RoleGroup = {
    id?: string;
    /**
     * The id of the group at the provider.
     */
    external_id?: string;
    /**
     * Compared without case.
     */
    display_name?: string;
};

export type RoleMappingInput = {
    /**
     * Role of users to whom no rule applies.
     */
    default_role?: string | null;
    /**
     * Whether all rules count that apply to a user, or the one with the highest priority.
     */
    mode?: 'all' | 'highest';
    rules: Array<{
        group: RoleGroup;
        role: string;
        /**
         * If rules have the same priority, the first applies.
         */
        priority?: number;
    }>;
};

export type ScimSchemaList = {
    schemas: Array<string>;
    /**
     * With a cursor, the number when the first page was read.
     */
    totalResults?: number;
    startIndex?: number;
    itemsPerPage: number;
    Resources: Array<ScimSchema>;
    /**
     * Absent on the last page.
     */
    nextCursor?: string;
    [key: string]: unknown;
};

export type ScimSchema = {
    id: string;
    name?: string;
    description?: string;
    attributes: Array<{
        [key: string]: unknown;
    }>;
    [key: string]: unknown;
};

export type ScimResourceTypeList = {
    schemas: Array<string>;
    /**
     * With a cursor, the number when the first page was read.
     */
    totalResults?: number;
    startIndex?: number;
    itemsPerPage: number;
    Resources: Array<ScimResourceType>;
    /**
     * Absent on the last page.
     */
    nextCursor?: string;
    [key: string]: unknown;
};

export type ScimResourceType = {
    schemas: Array<string>;
    id?: string;
    name: string;
    endpoint: string;
    schema: string;
    [key: string]: unknown;
};

export type ScimProviderConfig = {
    schemas: Array<string>;
    patch: {
        supported: boolean;
        [key: string]: unknown;
    };
    bulk: {
        supported?: boolean;
        maxOperations?: number;
        maxPayloadSize?: number;
        [key: string]: unknown;
    };
    filter: {
        supported?: boolean;
        maxResults?: number;
        [key: string]: unknown;
    };
    changePassword: {
        supported: boolean;
        [key: string]: unknown;
    };
    sort: {
        supported: boolean;
        [key: string]: unknown;
    };
    etag: {
        supported: boolean;
        [key: string]: unknown;
    };
    pagination?: {
        cursor?: boolean;
        index?: boolean;
        defaultPageSize?: number;
        maxPageSize?: number;
        [key: string]: unknown;
    };
    authenticationSchemes?: Array<{
        type?: string;
        name?: string;
        description?: string;
        [key: string]: unknown;
    }>;
    meta: ScimMeta;
    [key: string]: unknown;
};

export type ScimMeta = {
    resourceType?: string;
    created?: string;
    lastModified?: string;
    location?: string;
    version?: string;
    [key: string]: unknown;
};

export type ScimBulkAnswer = {
    schemas: Array<string>;
    Operations: Array<{
        method: string;
        bulkId?: string;
        version?: string;
        location?: string;
        status: string;
        response?: ScimError;
        [key: string]: unknown;
    }>;
    [key: string]: unknown;
};

export type ScimError = {
    schemas: Array<string>;
    status: string;
    scimType?: string;
    detail?: string;
    [key: string]: unknown;
};

export type ScimBulk = {
    schemas?: Array<string>;
    failOnErrors?: number;
    Operations: Array<{
        method: string;
        path: string;
        bulkId?: string;
        version?: string;
        data?: {
            [key: string]: unknown;
        };
        [key: string]: unknown;
    }>;
    [key: string]: unknown;
};

export type ScimSearch = {
    schemas?: Array<string>;
    attributes?: Array<string>;
    excludedAttributes?: Array<string>;
    filter?: string;
    sortBy?: string;
    sortOrder?: 'ascending' | 'descending';
    startIndex?: number;
    count?: number;
    cursor?: string;
    [key: string]: unknown;
};

export type ScimPatch = {
    schemas?: Array<string>;
    Operations: Array<{
        op: string;
        path?: string;
        value?: unknown;
        [key: string]: unknown;
    }>;
    [key: string]: unknown;
};

export type ScimResourceList = {
    schemas: Array<string>;
    /**
     * With a cursor, the number when the first page was read.
     */
    totalResults?: number;
    startIndex?: number;
    itemsPerPage: number;
    Resources: Array<ScimResource>;
    /**
     * Absent on the last page.
     */
    nextCursor?: string;
    [key: string]: unknown;
};

export type ScimResource = {
    schemas: Array<string>;
    id: string;
    meta?: ScimMeta;
    [key: string]: unknown;
};

export type ScimGroupList = {
    schemas: Array<string>;
    /**
     * With a cursor, the number when the first page was read.
     */
    totalResults?: number;
    startIndex?: number;
    itemsPerPage: number;
    Resources: Array<ScimGroup>;
    /**
     * Absent on the last page.
     */
    nextCursor?: string;
    [key: string]: unknown;
};

export type ScimGroup = {
    schemas: Array<string>;
    id: string;
    meta?: ScimMeta;
    displayName?: string;
    externalId?: string;
    members?: Array<{
        value: string;
        type?: string;
        display?: string;
        [key: string]: unknown;
    }>;
    [key: string]: unknown;
};

export type ScimUserList = {
    schemas: Array<string>;
    /**
     * With a cursor, the number when the first page was read.
     */
    totalResults?: number;
    startIndex?: number;
    itemsPerPage: number;
    Resources: Array<ScimUser>;
    /**
     * Absent on the last page.
     */
    nextCursor?: string;
    [key: string]: unknown;
};

export type ScimUser = {
    schemas: Array<string>;
    id: string;
    meta?: ScimMeta;
    userName?: string;
    externalId?: string;
    displayName?: string;
    active?: boolean;
    name?: {
        formatted?: string;
        givenName?: string;
        familyName?: string;
        [key: string]: unknown;
    };
    emails?: Array<{
        value?: string;
        type?: string;
        primary?: boolean;
        [key: string]: unknown;
    }>;
    groups?: Array<{
        value: string;
        type?: string;
        display?: string;
        [key: string]: unknown;
    }>;
    [key: string]: unknown;
};

export type ScimGroupBody = {
    schemas?: Array<string>;
    displayName: string;
    externalId?: string;
    members?: Array<{
        value?: string;
        [key: string]: unknown;
    }>;
    [key: string]: unknown;
};

export type ScimUserBody = {
    schemas?: Array<string>;
    userName: string;
    externalId?: string;
    displayName?: string;
    active?: boolean;
    name?: {
        formatted?: string;
        givenName?: string;
        familyName?: string;
        [key: string]: unknown;
    };
    emails?: Array<{
        value?: string;
        type?: string;
        primary?: boolean;
        [key: string]: unknown;
    }>;
    [key: string]: unknown;
};

export type CreatedSetupLink = {
    id: string;
    directory_id: string;
    state: 'unopened' | 'open' | 'connected' | 'completed' | 'expired' | 'revoked' | 'ended';
    allow: Array<'token' | 'mapping' | 'roles' | 'groups'>;
    /**
     * Custom attributes that the pages offer to map.
     */
    attributes: Array<string>;
    /**
     * Roles that the pages offer for groups.
     */
    roles: Array<string>;
    return_url: string | null;
    /**
     * One of en, de, fr and es; null: the language of the browser.
     */
    locale: string | null;
    /**
     * Chosen on the pages: okta, entra, onelogin and so on; never of a workspace.
     */
    provider: string | null;
    created_at: string;
    /**
     * When it can no longer be opened.
     */
    expires_at: string;
    opened_at: string | null;
    session_expires_at: string | null;
    /**
     * When the first request was accepted, or the first users of a workspace were read.
     */
    connected_at: string | null;
    completed_at: string | null;
    revoked_at: string | null;
    /**
     * Shown only here. It opens once.
     */
    url: string;
};

export type SetupLink = {
    id: string;
    directory_id: string;
    state: 'unopened' | 'open' | 'connected' | 'completed' | 'expired' | 'revoked' | 'ended';
    allow: Array<'token' | 'mapping' | 'roles' | 'groups'>;
    /**
     * Custom attributes that the pages offer to map.
     */
    attributes: Array<string>;
    /**
     * Roles that the pages offer for groups.
     */
    roles: Array<string>;
    return_url: string | null;
    /**
     * One of en, de, fr and es; null: the language of the browser.
     */
    locale: string | null;
    /**
     * Chosen on the pages: okta, entra, onelogin and so on; never of a workspace.
     */
    provider: string | null;
    created_at: string;
    /**
     * When it can no longer be opened.
     */
    expires_at: string;
    opened_at: string | null;
    session_expires_at: string | null;
    /**
     * When the first request was accepted, or the first users of a workspace were read.
     */
    connected_at: string | null;
    completed_at: string | null;
    revoked_at: string | null;
};

export type SetupLinkInput = {
    /**
     * An existing directory; without it, tenant and product create a new one.
     */
    directory_id?: string;
    tenant?: string;
    product?: string;
    /**
     * Name of the new directory.
     */
    name?: string;
    type?: 'azure-scim-v2' | 'okta-scim-v2' | 'onelogin-scim-v2' | 'jumpcloud-scim-v2' | 'generic-scim-v2' | 'workspace' | 'google';
    /**
     * Where a directory of the type workspace is read from.
     */
    workspace_provider?: 'google' | 'entra';
    /**
     * The domain whose users and groups are read, or all of the account without one; the tenant at Entra ID.
     */
    workspace_domain?: string;
    /**
     * From 10m to 30d; 7d by default.
     */
    expires_in?: string;
    /**
     * From 10m to 7d; 24h by default.
     */
    session_expires_in?: string;
    /**
     * Where the last page leads.
     */
    return_url?: string;
    /**
     * What the pages offer: token by default. Nothing by default for a workspace directory, which may have groups and roles.
     */
    allow?: Array<'token' | 'mapping' | 'roles' | 'groups'>;
    /**
     * With mapping: custom attributes; by default those that the directory maps.
     */
    attributes?: Array<string>;
    /**
     * With roles in allow: those that the pages offer for groups; at most 20.
     */
    roles?: Array<string>;
    locale?: 'en' | 'de' | 'fr' | 'es';
};

export type ScimTokenSecret = {
    id: string;
    name: string;
    /**
     * The start and the end of the secret, to recognize it.
     */
    preview: string;
    created_at: string;
    rotated_at: string | null;
    /**
     * Null: it does not expire.
     */
    expires_at: string | null;
    /**
     * Last use of the current secret; accurate to a minute.
     */
    last_used_at: string | null;
    /**
     * The secret before the last rotation, while it is valid.
     */
    previous: {
        expires_at: string;
        /**
         * Accurate to a minute.
         */
        last_used_at: string | null;
    } | null;
    /**
     * The bearer token. Shown once.
     */
    secret: string;
};

export type ScimToken = {
    id: string;
    name: string;
    /**
     * The start and the end of the secret, to recognize it.
     */
    preview: string;
    created_at: string;
    rotated_at: string | null;
    /**
     * Null: it does not expire.
     */
    expires_at: string | null;
    /**
     * Last use of the current secret; accurate to a minute.
     */
    last_used_at: string | null;
    /**
     * The secret before the last rotation, while it is valid.
     */
    previous: {
        expires_at: string;
        /**
         * Accurate to a minute.
         */
        last_used_at: string | null;
    } | null;
};

export type ScimTokenRotation = {
    /**
     * Expiry of the new secret. This or ttl is required if the token expires.
     */
    expires_at?: string | null;
    /**
     * Instead of expires_at: how long from now.
     */
    ttl?: string;
    /**
     * How long the current secret stays valid, at most 30 days, and no longer than the token; by default 0.
     */
    overlap?: string | number;
};

export type ScimTokenChanges = {
    /**
     * No other token of the directory has it.
     */
    name?: string;
    /**
     * Within the next ten years. Null, and the default: it does not expire.
     */
    expires_at?: string | null;
    /**
     * Instead of expires_at: how long from now.
     */
    ttl?: string;
};

export type ScimTokenInput = {
    /**
     * No other token of the directory has it.
     */
    name: string;
    /**
     * Within the next ten years. Null, and the default: it does not expire.
     */
    expires_at?: string | null;
    /**
     * Instead of expires_at: how long from now.
     */
    ttl?: string;
};

export type Capture = {
    capture_until: string;
};

export type CaptureStart = {
    /**
     * From a minute to a day.
     */
    duration: string;
};

export type ScimUsage = {
    /**
     * The start of the hour.
     */
    time: string;
    /**
     * 2xx contains 304.
     */
    status: '2xx' | '4xx' | '5xx';
    count: number;
};

export type ScimRequestDetails = {
    id: string;
    time: string;
    /**
     * As in the logs of the service.
     */
    request_id: string;
    method: string;
    /**
     * Below the address of the directory, without the query.
     */
    path: string;
    filter: string | null;
    status: number;
    /**
     * RFC 7644, table 9.
     */
    scim_type: string | null;
    /**
     * Why it was refused.
     */
    detail: string | null;
    duration_ms: number;
    user_agent: string | null;
    /**
     * Names of the attributes that it wrote, up to 50.
     */
    attributes: Array<string>;
    /**
     * The user or group that it named or created.
     */
    resource_id: string | null;
    /**
     * The SCIM token that it was sent with, even one that has expired. Null for the SCIM secret, and for any other secret that is not valid.
     */
    token_id: string | null;
    /**
     * Whether its bodies were captured.
     */
    captured: boolean;
    bodies: {
        /**
         * JSON, redacted, at most 16,384 characters.
         */
        request: string | null;
        response: string | null;
    } | null;
};

export type ScimRequest = {
    id: string;
    time: string;
    /**
     * As in the logs of the service.
     */
    request_id: string;
    method: string;
    /**
     * Below the address of the directory, without the query.
     */
    path: string;
    filter: string | null;
    status: number;
    /**
     * RFC 7644, table 9.
     */
    scim_type: string | null;
    /**
     * Why it was refused.
     */
    detail: string | null;
    duration_ms: number;
    user_agent: string | null;
    /**
     * Names of the attributes that it wrote, up to 50.
     */
    attributes: Array<string>;
    /**
     * The user or group that it named or created.
     */
    resource_id: string | null;
    /**
     * The SCIM token that it was sent with, even one that has expired. Null for the SCIM secret, and for any other secret that is not valid.
     */
    token_id: string | null;
    /**
     * Whether its bodies were captured.
     */
    captured: boolean;
};

export type GuardChanges = {
    /**
     * The part of the users, or of the groups, that may be removed in a window.
     */
    max_delete_ratio?: number | null;
    /**
     * How many users, or groups, may be removed in a window.
     */
    max_deletes?: number | null;
    /**
     * Groups, by name, that are not deleted or emptied without a decision.
     */
    protected_groups?: Array<string>;
    /**
     * Roles by the role mapping that do not lose their last active user without a decision.
     */
    protected_roles?: Array<string>;
    /**
     * The length of a window, which begins with the first removal.
     */
    window_seconds?: number;
};

export type Guard = {
    /**
     * The part of the users, or of the groups, that may be removed in a window.
     */
    max_delete_ratio: number | null;
    /**
     * How many users, or groups, may be removed in a window.
     */
    max_deletes: number | null;
    /**
     * Groups, by name, that are not deleted or emptied without a decision.
     */
    protected_groups: Array<string>;
    /**
     * Roles by the role mapping that do not lose their last active user without a decision.
     */
    protected_roles: Array<string>;
    /**
     * The length of a window, which begins with the first removal.
     */
    window_seconds: number;
};

export type WorkspaceSettingsChanges = {
    /**
     * Only these groups, by id, email or name. Empty: all.
     */
    include_groups?: Array<string>;
    /**
     * Not these groups.
     */
    exclude_groups?: Array<string>;
    /**
     * Only users of these units and of the units below. Empty: all.
     */
    organizational_units?: Array<string>;
    /**
     * Members of nested groups count as members of the outer group.
     */
    flatten_groups?: boolean;
    /**
     * Runs that would delete or deactivate a larger part are held. Null: the default.
     */
    max_delete_ratio?: number | null;
    /**
     * Runs that would delete or deactivate more are held. Null: no limit.
     */
    max_deletes?: number | null;
    /**
     * Runs that would remove a larger part of the memberships are held. Null: half, from 100 removals on.
     */
    max_member_removal_ratio?: number | null;
    /**
     * Runs that would delete or empty one of these groups are held.
     */
    protected_groups?: Array<string>;
};

export type WorkspaceSettings = {
    /**
     * Only these groups, by id, email or name. Empty: all.
     */
    include_groups: Array<string>;
    /**
     * Not these groups.
     */
    exclude_groups: Array<string>;
    /**
     * Only users of these units and of the units below. Empty: all.
     */
    organizational_units: Array<string>;
    /**
     * Members of nested groups count as members of the outer group.
     */
    flatten_groups: boolean;
    /**
     * Runs that would delete or deactivate a larger part are held. Null: the default.
     */
    max_delete_ratio: number | null;
    /**
     * Runs that would delete or deactivate more are held. Null: no limit.
     */
    max_deletes: number | null;
    /**
     * Runs that would remove a larger part of the memberships are held. Null: half, from 100 removals on.
     */
    max_member_removal_ratio: number | null;
    /**
     * Runs that would delete or empty one of these groups are held.
     */
    protected_groups: Array<string>;
};

export type StartedRuns = {
    /**
     * Directories whose run was started.
     */
    directories: number;
};

export type RunDetails = {
    id: string;
    directory_id: string;
    trigger: 'schedule' | 'demand' | 'push' | 'callback' | 'scim';
    state: 'queued' | 'listing' | 'applying' | 'held' | 'succeeded' | 'failed' | 'discarded';
    counts: RunCounts;
    /**
     * Pages of the listing.
     */
    pages: number;
    /**
     * Requests to the provider.
     */
    api_calls: number;
    /**
     * When the last listing began, of a run that listed nothing because of no changes since.
     */
    unchanged_since: string | null;
    /**
     * Why it failed, is held or waits.
     */
    error: string | null;
    hold_reasons: Array<{
        reason: 'too_many_deletions' | 'too_many_removals' | 'empty_listing' | 'incomplete_listing' | 'protected_group' | 'protected_role';
        message: string;
    }>;
    created_at: string;
    started_at: string | null;
    finished_at: string | null;
    duration_seconds: number | null;
    plan: {
        counts: {
            users_created: number;
            users_updated: number;
            users_deleted: number;
            groups_created: number;
            groups_updated: number;
            groups_deleted: number;
            members_added: number;
            members_removed: number;
        };
        users_created: Array<{
            /**
             * The id at the provider.
             */
            external_id: string;
            name: string;
        }>;
        users_updated: Array<{
            /**
             * The id at the provider.
             */
            external_id: string;
            name: string;
        }>;
        users_deleted: Array<{
            /**
             * The id at the provider.
             */
            external_id: string;
            name: string;
        }>;
        groups_created: Array<{
            /**
             * The id at the provider.
             */
            external_id: string;
            name: string;
        }>;
        groups_updated: Array<{
            /**
             * The id at the provider.
             */
            external_id: string;
            name: string;
        }>;
        groups_deleted: Array<{
            /**
             * The id at the provider.
             */
            external_id: string;
            name: string;
        }>;
        members_added: Array<{
            /**
             * The id at the provider.
             */
            group: string;
            group_name: string;
            member: string;
        }>;
        members_removed: Array<{
            /**
             * The id at the provider.
             */
            group: string;
            group_name: string;
            member: string;
        }>;
    } | null;
    failures: Array<{
        kind: 'user' | 'group';
        external_id: string;
        reason: string;
    }>;
};

export type RunCounts = {
    users_listed: number;
    groups_listed: number;
    members_listed: number;
    users_created: number;
    users_updated: number;
    users_deleted: number;
    groups_created: number;
    groups_updated: number;
    groups_deleted: number;
    members_added: number;
    members_removed: number;
    failed: number;
};

export type Run = {
    id: string;
    directory_id: string;
    trigger: 'schedule' | 'demand' | 'push' | 'callback' | 'scim';
    state: 'queued' | 'listing' | 'applying' | 'held' | 'succeeded' | 'failed' | 'discarded';
    counts: RunCounts;
    /**
     * Pages of the listing.
     */
    pages: number;
    /**
     * Requests to the provider.
     */
    api_calls: number;
    /**
     * When the last listing began, of a run that listed nothing because of no changes since.
     */
    unchanged_since: string | null;
    /**
     * Why it failed, is held or waits.
     */
    error: string | null;
    hold_reasons: Array<{
        reason: 'too_many_deletions' | 'too_many_removals' | 'empty_listing' | 'incomplete_listing' | 'protected_group' | 'protected_role';
        message: string;
    }>;
    created_at: string;
    started_at: string | null;
    finished_at: string | null;
    duration_seconds: number | null;
};

export type DirectoriesEventReplay = {
    /**
     * The id of the event after which the replay begins.
     */
    after?: string;
    /**
     * The time at which it begins, instead of after.
     */
    from_time?: string;
    /**
     * The time at which it ends; by default now.
     */
    until?: string;
    /**
     * Null: all types.
     */
    types?: Array<'user.created' | 'user.updated' | 'user.deleted' | 'user.roles_changed' | 'group.created' | 'group.updated' | 'group.deleted' | 'group.user_added' | 'group.user_removed'> | null;
    /**
     * The only endpoint to receive it; by default all.
     */
    endpoint_id?: string;
};

export type DirectoriesWebhookEndpointList = {
    webhook_endpoints: Array<DirectoriesWebhookEndpoint>;
};

export type DirectoriesWebhookEndpoint = {
    id: string;
    url: string;
    /**
     * Null: all types.
     */
    types: Array<'user.created' | 'user.updated' | 'user.deleted' | 'user.roles_changed' | 'group.created' | 'group.updated' | 'group.deleted' | 'group.user_added' | 'group.user_removed'> | null;
    header_names: Array<string>;
    logs_attempts: boolean;
    on_poison: 'park' | 'block';
    state: 'healthy' | 'failing' | 'paused' | 'stopped';
    /**
     * Why it is not healthy.
     */
    reason: string | null;
    /**
     * Attempts that failed since the last success.
     */
    failures: number;
    failing_since: string | null;
    last_success_at: string | null;
    /**
     * Null: with the next event, or never.
     */
    next_attempt_at: string | null;
    created_at: string;
    updated_at: string;
};

export type DirectoriesWebhookEndpointSecret = {
    id: string;
    url: string;
    /**
     * Null: all types.
     */
    types: Array<'user.created' | 'user.updated' | 'user.deleted' | 'user.roles_changed' | 'group.created' | 'group.updated' | 'group.deleted' | 'group.user_added' | 'group.user_removed'> | null;
    header_names: Array<string>;
    logs_attempts: boolean;
    on_poison: 'park' | 'block';
    state: 'healthy' | 'failing' | 'paused' | 'stopped';
    /**
     * Why it is not healthy.
     */
    reason: string | null;
    /**
     * Attempts that failed since the last success.
     */
    failures: number;
    failing_since: string | null;
    last_success_at: string | null;
    /**
     * Null: with the next event, or never.
     */
    next_attempt_at: string | null;
    created_at: string;
    updated_at: string;
    /**
     * Shown once.
     */
    secret: string;
};

export type DirectoriesWebhookEndpointChanges = {
    /**
     * An http or https address. A private one needs WEBHOOK_ALLOW_PRIVATE.
     */
    url?: string;
    /**
     * Null: all types.
     */
    types?: Array<'user.created' | 'user.updated' | 'user.deleted' | 'user.roles_changed' | 'group.created' | 'group.updated' | 'group.deleted' | 'group.user_added' | 'group.user_removed'> | null;
    /**
     * At most 16 headers that every webhook carries. Their values are never shown.
     */
    headers?: {
        [key: string]: string;
    } | null;
    /**
     * Whether attempts keep their payload and the start of the response.
     */
    logs_attempts?: boolean;
    /**
     * Handling of an event that the endpoint refuses while it accepts others: it is parked, or it blocks those that follow.
     */
    on_poison?: 'park' | 'block';
};

export type DirectoriesWebhookEndpointInput = {
    /**
     * An http or https address. A private one needs WEBHOOK_ALLOW_PRIVATE.
     */
    url: string;
    /**
     * Null: all types.
     */
    types?: Array<'user.created' | 'user.updated' | 'user.deleted' | 'user.roles_changed' | 'group.created' | 'group.updated' | 'group.deleted' | 'group.user_added' | 'group.user_removed'> | null;
    /**
     * At most 16 headers that every webhook carries. Their values are never shown.
     */
    headers?: {
        [key: string]: string;
    } | null;
    /**
     * Whether attempts keep their payload and the start of the response.
     */
    logs_attempts?: boolean;
    /**
     * Handling of an event that the endpoint refuses while it accepts others: it is parked, or it blocks those that follow.
     */
    on_poison?: 'park' | 'block';
    /**
     * 16 to 512 printable characters. Generated if left out.
     */
    secret?: string;
};

export type Batch = {
    /**
     * Directories with undelivered events.
     */
    directories: number;
    /**
     * Undelivered events.
     */
    events: number;
};

export type WebhookLog = {
    id: string;
    directory_id: string;
    event_id: string;
    webhook_endpoint: string;
    status_code: number | null;
    duration_ms: number;
    error: string | null;
    created_at: string;
    /**
     * What was sent.
     */
    payload: {
        [key: string]: unknown;
    };
    /**
     * The first 2 KiB of the response.
     */
    response: string | null;
};

export type ListedWebhookEndpoint = {
    directory_id: string;
    directory_name: string;
    tenant: string;
    product: string;
    /**
     * False: the directory is deactivated, so nothing is sent.
     */
    enabled: boolean;
    id: string;
    url: string;
    /**
     * Null: all types.
     */
    types: Array<'user.created' | 'user.updated' | 'user.deleted' | 'user.roles_changed' | 'group.created' | 'group.updated' | 'group.deleted' | 'group.user_added' | 'group.user_removed'> | null;
    header_names: Array<string>;
    logs_attempts: boolean;
    on_poison: 'park' | 'block';
    state: 'healthy' | 'failing' | 'paused' | 'stopped';
    /**
     * Why it is not healthy.
     */
    reason: string | null;
    /**
     * Attempts that failed since the last success.
     */
    failures: number;
    failing_since: string | null;
    last_success_at: string | null;
    /**
     * Null: with the next event, or never.
     */
    next_attempt_at: string | null;
    created_at: string;
    updated_at: string;
};

export type EventCursor = {
    /**
     * Empty while there is no event.
     */
    id: string;
};

export type SearchResult = {
    hits: Array<{
        kind: 'directory' | 'user' | 'group' | 'webhook_endpoint' | 'setup_link' | 'run' | 'scim_request' | 'event';
        id: string;
        /**
         * The name, the userName, the URL, or the type of an event.
         */
        title: string;
        /**
         * One more line, such as the state, the tenant and the product.
         */
        detail: string;
        /**
         * The id of its directory; empty for a directory.
         */
        parent_id: string;
    }>;
    /**
     * Whether there are more hits of a kind than pageLimit.
     */
    is_more: boolean;
};

export type DirectoriesAuditEvent = {
    event_id: string;
    /**
     * Such as directory.created.
     */
    type: string;
    /**
     * The id of the directory or event; empty if there is not exactly one.
     */
    target_id: string;
    /**
     * The id of the administrator; never a credential.
     */
    caller: string;
    /**
     * The address of the client; empty if it is unknown.
     */
    ip: string;
    request_id: string;
    create_time: string;
    /**
     * Names of the fields that were sent, and ids; never values.
     */
    details: {
        [key: string]: unknown;
    };
};

export type DirectoriesEventRecord = {
    event: 'user.created' | 'user.updated' | 'user.deleted' | 'user.roles_changed' | 'group.created' | 'group.updated' | 'group.deleted' | 'group.user_added' | 'group.user_removed';
    tenant: string;
    product: string;
    directory_id: string;
    /**
     * A user, a group, or a user with its group.
     */
    data: {
        [key: string]: unknown;
    };
    /**
     * The same for every delivery of this event.
     */
    id: string;
    /**
     * Grows along the log; numbers may be missing.
     */
    sequence: number;
    created_at: string;
    /**
     * Changed members of data with old values.
     */
    previous?: {
        [key: string]: unknown;
    };
    state: EventState;
    /**
     * The oldest first.
     */
    attempts: Array<EventAttempt>;
};

export type GroupMember = {
    /**
     * Of a user.
     */
    user_id?: string;
    /**
     * Of a group inside the group.
     */
    group_id?: string;
    /**
     * The display name, or else the userName.
     */
    name: string;
};

export type Group = {
    id: string;
    directory_id: string;
    name: string;
    /**
     * In lists with the first 200 `members`.
     */
    raw: {
        [key: string]: unknown;
    };
    /**
     * In lists, and without members: their number.
     */
    members_total?: number;
    /**
     * Where a single group is read.
     */
    members?: Array<Membership>;
};

export type Membership = {
    group_id: string;
    user_id: string;
};

export type User = {
    id: string;
    directory_id: string;
    first_name: string;
    last_name: string;
    email: string;
    active: boolean;
    /**
     * By the role mapping; without one, the values of `roles`, if the provider sends any.
     */
    roles?: Array<string>;
    /**
     * The SCIM resource as the provider last made it, with its present groups.
     */
    raw: {
        [key: string]: unknown;
    };
    /**
     * By the attribute_mapping of the directory.
     */
    custom_attributes?: {
        [key: string]: unknown;
    };
};

export type Fault = {
    message: string;
    /**
     * The HTTP status.
     */
    code: number;
};

export type DirectoryStatus = {
    health: DirectoryHealth;
    last_sync: {
        started_at: string | null;
        /**
         * Null while a run is under way or held.
         */
        finished_at: string | null;
        /**
         * The state of the last run; succeeded or failed for a SCIM request.
         */
        result: string;
        /**
         * The error of the last failed run or request.
         */
        error: string | null;
        /**
         * Counts of a run.
         */
        counts: {
            [key: string]: unknown;
        } | null;
        last_success_at: string | null;
        last_error_at: string | null;
    } | null;
    /**
     * The last SCIM request, accurate to a minute.
     */
    last_request_at: string | null;
    requests: {
        /**
         * Requests with a valid secret in the last 24 hours.
         */
        requests: number;
        /**
         * Refused requests, without 404.
         */
        errors: number;
        error_rate: number;
        /**
         * Requests without a valid secret in the last 24 hours.
         */
        unauthorized: number;
        last_unauthorized_at: string | null;
        /**
         * The last use of the SCIM secret of the directory, accurate to a minute.
         */
        secret_last_used_at: string | null;
        /**
         * Recognized by what it sends: okta, entra, onelogin, jumpcloud, ping, rippling or google.
         */
        provider: string | null;
        user_agent: string | null;
        /**
         * Between two synchronizations.
         */
        usual_gap_seconds: number | null;
        /**
         * The last request of a directory that directory.quiet was sent for.
         */
        quiet_since: string | null;
        /**
         * Bodies are captured until then.
         */
        capture_until: string | null;
    } | null;
    /**
     * Events that wait for delivery.
     */
    pending: number;
    oldest_pending_age_seconds: number | null;
    /**
     * Parked events: the webhook refused them while it accepted others.
     */
    dead: number;
    /**
     * Member references that match no user or group of the directory.
     */
    ignored_members: number;
    webhook: WebhookState;
    key_link: {
        state: 'healthy' | 'failing';
        /**
         * Why the key service does not take what became of people.
         */
        reason: string | null;
        /**
         * Whether all of its people are still to be sent.
         */
        snapshot_pending: boolean;
    } | null;
    workspace: {
        provider: 'google' | 'entra';
        state: 'authorized' | 'needs_authorization';
        /**
         * Why it needs authorization.
         */
        reason: string | null;
        /**
         * When the state changed.
         */
        since: string;
        push: {
            /**
             * Whether the provider notifies of changes.
             */
            active: boolean;
            /**
             * Channels are renewed before.
             */
            expires_at: string | null;
            /**
             * Why they could not be opened or renewed.
             */
            error: string | null;
        };
    } | null;
};

export type WebhookState = {
    state: 'none' | 'healthy' | 'failing' | 'paused' | 'stopped';
    /**
     * Why it is not healthy.
     */
    reason: string | null;
    failing_since: string | null;
    last_success_at: string | null;
    /**
     * The next attempt of a webhook that is failing or paused.
     */
    next_attempt_at: string | null;
};

export type DirectoryHealth = {
    /**
     * The first of the errors, if there is one.
     */
    state: 'needs_authorization' | 'failed' | 'held' | 'unauthorized' | 'stopped' | 'paused' | 'failing' | 'dead' | 'healthy' | 'deactivated';
    has_errors: boolean;
    /**
     * The gravest first; each state once.
     */
    errors: Array<{
        state: 'needs_authorization' | 'failed' | 'held' | 'unauthorized' | 'stopped' | 'paused' | 'failing' | 'dead';
        /**
         * What was answered, or why it is not healthy.
         */
        reason: string | null;
        /**
         * Since when; the last time for failed and unauthorized.
         */
        since: string | null;
    }>;
};

export type AuthorizationUrl = {
    /**
     * Where an administrator consents; valid for 10 minutes, once.
     */
    authorizationUrl: string;
};

export type ListedDirectory = {
    id: string;
    name: string;
    tenant: string;
    product: string;
    type: 'azure-scim-v2' | 'okta-scim-v2' | 'onelogin-scim-v2' | 'jumpcloud-scim-v2' | 'generic-scim-v2' | 'workspace';
    log_webhook_events: boolean;
    deactivated: boolean;
    strict: boolean;
    /**
     * True if it is set.
     */
    put_clears_members?: boolean;
    webhook: Webhook;
    scim: Scim;
    attribute_mapping?: {
        [key: string]: string;
    };
    workspace_provider?: 'google' | 'entra';
    /**
     * The domain whose users and groups are read, or all of the account without one; the tenant at Entra ID.
     */
    workspace_domain?: string;
    /**
     * In whose name the service account reads; without one, an administrator consents.
     */
    workspace_administrator?: string;
    /**
     * Empty until an administrator has consented.
     */
    workspace_access_token?: string;
    workspace_refresh_token?: string;
    health: DirectoryHealth;
};

export type Scim = {
    path: string;
    endpoint: string;
    /**
     * The bearer token of the identity provider. Empty after it was retired.
     */
    secret: string;
};

export type Webhook = {
    /**
     * Empty without a webhook.
     */
    endpoint: string;
    secret: string;
};

export type Directory = {
    id: string;
    name: string;
    tenant: string;
    product: string;
    type: 'azure-scim-v2' | 'okta-scim-v2' | 'onelogin-scim-v2' | 'jumpcloud-scim-v2' | 'generic-scim-v2' | 'workspace';
    log_webhook_events: boolean;
    deactivated: boolean;
    strict: boolean;
    /**
     * True if it is set.
     */
    put_clears_members?: boolean;
    webhook: Webhook;
    scim: Scim;
    attribute_mapping?: {
        [key: string]: string;
    };
    workspace_provider?: 'google' | 'entra';
    /**
     * The domain whose users and groups are read, or all of the account without one; the tenant at Entra ID.
     */
    workspace_domain?: string;
    /**
     * In whose name the service account reads; without one, an administrator consents.
     */
    workspace_administrator?: string;
    /**
     * Empty until an administrator has consented.
     */
    workspace_access_token?: string;
    workspace_refresh_token?: string;
};

export type SecretRotation = {
    /**
     * How long the old SCIM secret works beside the new one; none by default.
     */
    overlap?: string | number;
};

export type DirectoryChanges = {
    name?: string;
    log_webhook_events?: boolean;
    /**
     * Refuse SCIM requests that the SCIM interoperability profile forbids.
     */
    strict?: boolean;
    /**
     * Let a PUT of a group without `members` remove them. By default, it keeps them.
     */
    put_clears_members?: boolean;
    /**
     * SCIM requests of a deactivated directory get 403.
     */
    deactivated?: boolean;
    /**
     * Empty: no webhook. Any address starts a stopped webhook.
     */
    webhook_url?: string;
    /**
     * Signs webhooks: 16 to 512 printable ASCII characters.
     */
    webhook_secret?: string;
    webhook?: {
        /**
         * As webhook_url, which cannot be sent with it.
         */
        endpoint?: string;
        /**
         * As webhook_secret.
         */
        secret?: string;
    };
    /**
     * How long the old secret signs beside the new one.
     */
    webhook_secret_overlap?: string | number;
    attribute_mapping?: {
        [key: string]: string;
    } | null;
    /**
     * The domain whose users and groups are read, or all of the account without one; the tenant at Entra ID.
     */
    workspace_domain?: string | null;
    /**
     * In whose name the service account reads; without one, an administrator consents.
     */
    workspace_administrator?: string | null;
};

export type DirectoryInput = {
    /**
     * Default: scim-{tenant}-{product}.
     */
    name?: string;
    /**
     * Holds no colon.
     */
    tenant: string;
    /**
     * Holds no colon.
     */
    product: string;
    type?: 'azure-scim-v2' | 'okta-scim-v2' | 'onelogin-scim-v2' | 'jumpcloud-scim-v2' | 'generic-scim-v2' | 'workspace' | 'google';
    /**
     * Where events are POSTed.
     */
    webhook_url?: string;
    /**
     * Signs webhooks: 16 to 512 printable ASCII characters. One is made when an address comes without.
     */
    webhook_secret?: string;
    log_webhook_events?: boolean;
    /**
     * Refuse SCIM requests that the SCIM interoperability profile forbids.
     */
    strict?: boolean;
    /**
     * Let a PUT of a group without `members` remove them. By default, it keeps them.
     */
    put_clears_members?: boolean;
    attribute_mapping?: {
        [key: string]: string;
    };
    /**
     * Where a directory of the type workspace is read from.
     */
    workspace_provider?: 'google' | 'entra';
    /**
     * The domain whose users and groups are read, or all of the account without one; the tenant at Entra ID.
     */
    workspace_domain?: string;
    /**
     * In whose name the service account reads; without one, an administrator consents.
     */
    workspace_administrator?: string;
};

export type ListPortalSessionsResponse = {
    portal_sessions: Array<PortalSession>;
    next_page_token: string;
};

export type RateLimit = {
    /**
     * 1 to 32 of a-z, 0-9, _ and -; default and key are reserved.
     */
    name: string;
    /**
     * Units in a window; up to 10^12.
     */
    quota: string;
    /**
     * A duration from 1s to 366d, such as "60s".
     */
    window: string;
    /**
     * Units at once; default quota.
     */
    burst?: string;
    /**
     * Whose budget it is: of the key, of its actor, or of a tag of the actor.
     */
    scope?: 'key' | 'actor' | 'tag';
    /**
     * With the scope tag: which one.
     */
    tag?: string;
    /**
     * Decision while Redis is unavailable; default RATE_LIMIT_ON_ERROR.
     */
    on_error?: 'allow' | 'deny';
    /**
     * Whether every verification is counted in Redis.
     */
    strict?: boolean;
};

export type PortalSession = {
    session_id: string;
    state: 'UNOPENED' | 'OPEN' | 'EXPIRED' | 'REVOKED';
    /**
     * Whose keys the pages show.
     */
    actor_id: string;
    /**
     * Besides looking; default all.
     */
    allow: Array<'create' | 'rotate' | 'revoke'>;
    /**
     * Scopes that new keys may have; at most 50.
     */
    scopes: Array<string>;
    /**
     * Tags of new keys.
     */
    tags: Array<string>;
    /**
     * Prefix of new keys; empty for the default.
     */
    prefix: string;
    /**
     * How many live keys the actor may have to make one; default 10.
     */
    max_keys: number;
    /**
     * Limits of new keys; at most 8.
     */
    rate_limits: Array<RateLimit>;
    /**
     * Where the pages lead back to: https, or within ALLOWED_RETURN_URLS.
     */
    return_url: string;
    /**
     * How long new keys live; empty for DEFAULT_TTL.
     */
    key_ttl: string;
    /**
     * Empty for that of the browser.
     */
    language: '' | 'en' | 'de' | 'fr' | 'es';
    create_time: string;
    expire_time: string;
    /**
     * When its address was opened.
     */
    open_time: string | null;
    revoke_time: string | null;
};

export type CreatePortalSessionResponse = {
    portal_session: PortalSession;
    /**
     * Opens once; not shown again.
     */
    url: string;
};

export type CreatePortalSessionRequest = {
    /**
     * Whose keys the pages show.
     */
    actor_id: string;
    /**
     * Besides looking; default all.
     */
    allow?: Array<'create' | 'rotate' | 'revoke'>;
    /**
     * Scopes that new keys may have; at most 50.
     */
    scopes?: Array<string>;
    /**
     * Tags of new keys.
     */
    tags?: Array<string>;
    /**
     * Prefix of new keys; empty for the default.
     */
    prefix?: string;
    /**
     * How many live keys the actor may have to make one; default 10.
     */
    max_keys?: number;
    /**
     * Limits of new keys; at most 8.
     */
    rate_limits?: Array<RateLimit>;
    /**
     * Where the pages lead back to: https, or within ALLOWED_RETURN_URLS.
     */
    return_url?: string;
    /**
     * How long new keys live, such as "90d"; default DEFAULT_TTL.
     */
    key_ttl?: string;
    /**
     * Default: that of the browser.
     */
    language?: 'en' | 'de' | 'fr' | 'es';
    /**
     * 5 minutes to 24 hours, such as "1h"; default 1h.
     */
    ttl?: string;
};

export type KeysEventRecord = {
    event: 'key.issued' | 'key.imported' | 'key.updated' | 'key.rotated' | 'key.rotation_completed' | 'key.revoked' | 'key.deleted' | 'key.paused' | 'key.resumed' | 'key.undeleted' | 'key.erased' | 'key.exposed' | 'key.expiring' | 'key.expired' | 'key.unused' | 'key.rate_limited' | 'key.credits_exhausted';
    /**
     * See /events/catalogue.json.
     */
    data: {
        [key: string]: unknown;
    };
    /**
     * The same for every delivery of this event.
     */
    id: string;
    /**
     * Ascending, with gaps.
     */
    sequence: number;
    created_at: string;
    state: EventState;
    /**
     * The oldest first.
     */
    attempts: Array<EventAttempt>;
};

export type KeysEventList = {
    events: Array<KeysLoggedEvent>;
    /**
     * Empty on the last page.
     */
    next_page_token: string;
};

export type KeysLoggedEvent = {
    event: 'key.issued' | 'key.imported' | 'key.updated' | 'key.rotated' | 'key.rotation_completed' | 'key.revoked' | 'key.deleted' | 'key.paused' | 'key.resumed' | 'key.undeleted' | 'key.erased' | 'key.exposed' | 'key.expiring' | 'key.expired' | 'key.unused' | 'key.rate_limited' | 'key.credits_exhausted';
    /**
     * See /events/catalogue.json.
     */
    data: {
        [key: string]: unknown;
    };
    /**
     * The same for every delivery of this event.
     */
    id: string;
    /**
     * Ascending, with gaps.
     */
    sequence: number;
    created_at: string;
};

export type StartedReplays = {
    /**
     * The endpoints that receive the replay.
     */
    endpoints: number;
};

export type KeysEventReplay = {
    /**
     * The id of the event after which the replay begins.
     */
    after?: string;
    /**
     * The time at which it begins, instead of after.
     */
    from_time?: string;
    /**
     * The time at which it ends; by default now.
     */
    until?: string;
    /**
     * Null: all types.
     */
    types?: Array<'key.issued' | 'key.imported' | 'key.updated' | 'key.rotated' | 'key.rotation_completed' | 'key.revoked' | 'key.deleted' | 'key.paused' | 'key.resumed' | 'key.undeleted' | 'key.erased' | 'key.exposed' | 'key.expiring' | 'key.expired' | 'key.unused' | 'key.rate_limited' | 'key.credits_exhausted'> | null;
    /**
     * The only endpoint to receive it; by default all.
     */
    endpoint_id?: string;
};

export type EventResend = {
    /**
     * The only endpoint to receive it; by default all.
     */
    endpoint_id?: string;
};

export type ParkedEventList = {
    parked_events: Array<ParkedEvent>;
    /**
     * Empty on the last page.
     */
    next_page_token: string;
};

export type ParkedEvent = {
    event_id: string;
    sequence: number;
    reason: string;
    attempts: number;
    parked_at: string;
};

export type DeliveryAttemptList = {
    attempts: Array<DeliveryAttempt>;
    /**
     * Empty on the last page.
     */
    next_page_token: string;
};

export type DeliveryAttempt = {
    id: string;
    event_id: string;
    at: string;
    url: string;
    /**
     * Null without a response.
     */
    status_code: number | null;
    duration_ms: number;
    error: string | null;
    /**
     * The first 2 KiB of the response, if the endpoint has logs_attempts.
     */
    response: string | null;
};

export type WebhookEndpointStatus = {
    /**
     * Events that wait for the endpoint, counted to 100,000.
     */
    pending: number;
    oldest_pending_age_seconds: number | null;
    /**
     * Parked events: refused while others were accepted. Counted to 100,000.
     */
    dead: number;
};

export type WebhookTest = {
    /**
     * Whether the endpoint answered with a 2xx status.
     */
    delivered: boolean;
    /**
     * Null without a response.
     */
    status_code: number | null;
    duration_ms: number;
    error: string | null;
};

export type KeysWebhookEndpointList = {
    webhook_endpoints: Array<KeysWebhookEndpoint>;
};

export type KeysWebhookEndpoint = {
    id: string;
    url: string;
    /**
     * Null: all types.
     */
    types: Array<'key.issued' | 'key.imported' | 'key.updated' | 'key.rotated' | 'key.rotation_completed' | 'key.revoked' | 'key.deleted' | 'key.paused' | 'key.resumed' | 'key.undeleted' | 'key.erased' | 'key.exposed' | 'key.expiring' | 'key.expired' | 'key.unused' | 'key.rate_limited' | 'key.credits_exhausted'> | null;
    header_names: Array<string>;
    logs_attempts: boolean;
    on_poison: 'park' | 'block';
    state: 'healthy' | 'failing' | 'paused' | 'stopped';
    /**
     * Why it is not healthy.
     */
    reason: string | null;
    /**
     * Attempts that failed since the last success.
     */
    failures: number;
    failing_since: string | null;
    last_success_at: string | null;
    /**
     * Null: with the next event, or never.
     */
    next_attempt_at: string | null;
    created_at: string;
    updated_at: string;
};

export type KeysWebhookEndpointSecret = {
    id: string;
    url: string;
    /**
     * Null: all types.
     */
    types: Array<'key.issued' | 'key.imported' | 'key.updated' | 'key.rotated' | 'key.rotation_completed' | 'key.revoked' | 'key.deleted' | 'key.paused' | 'key.resumed' | 'key.undeleted' | 'key.erased' | 'key.exposed' | 'key.expiring' | 'key.expired' | 'key.unused' | 'key.rate_limited' | 'key.credits_exhausted'> | null;
    header_names: Array<string>;
    logs_attempts: boolean;
    on_poison: 'park' | 'block';
    state: 'healthy' | 'failing' | 'paused' | 'stopped';
    /**
     * Why it is not healthy.
     */
    reason: string | null;
    /**
     * Attempts that failed since the last success.
     */
    failures: number;
    failing_since: string | null;
    last_success_at: string | null;
    /**
     * Null: with the next event, or never.
     */
    next_attempt_at: string | null;
    created_at: string;
    updated_at: string;
    /**
     * Shown once.
     */
    secret: string;
};

export type WebhookSecretRotation = {
    /**
     * 16 to 512 printable characters. Generated if left out.
     */
    secret?: string;
    /**
     * How long the old secret signs as well, at most 30 days; by default 0.
     */
    overlap?: string | number;
};

export type KeysWebhookEndpointChanges = {
    /**
     * An http or https address. A private one needs WEBHOOK_ALLOW_PRIVATE.
     */
    url?: string;
    /**
     * Null: all types.
     */
    types?: Array<'key.issued' | 'key.imported' | 'key.updated' | 'key.rotated' | 'key.rotation_completed' | 'key.revoked' | 'key.deleted' | 'key.paused' | 'key.resumed' | 'key.undeleted' | 'key.erased' | 'key.exposed' | 'key.expiring' | 'key.expired' | 'key.unused' | 'key.rate_limited' | 'key.credits_exhausted'> | null;
    /**
     * At most 16 headers that every webhook carries. Their values are never shown.
     */
    headers?: {
        [key: string]: string;
    } | null;
    /**
     * Whether attempts keep their payload and the start of the response.
     */
    logs_attempts?: boolean;
    /**
     * Handling of an event that the endpoint refuses while it accepts others: it is parked, or it blocks those that follow.
     */
    on_poison?: 'park' | 'block';
};

export type KeysWebhookEndpointInput = {
    /**
     * An http or https address. A private one needs WEBHOOK_ALLOW_PRIVATE.
     */
    url: string;
    /**
     * Null: all types.
     */
    types?: Array<'key.issued' | 'key.imported' | 'key.updated' | 'key.rotated' | 'key.rotation_completed' | 'key.revoked' | 'key.deleted' | 'key.paused' | 'key.resumed' | 'key.undeleted' | 'key.erased' | 'key.exposed' | 'key.expiring' | 'key.expired' | 'key.unused' | 'key.rate_limited' | 'key.credits_exhausted'> | null;
    /**
     * At most 16 headers that every webhook carries. Their values are never shown.
     */
    headers?: {
        [key: string]: string;
    } | null;
    /**
     * Whether attempts keep their payload and the start of the response.
     */
    logs_attempts?: boolean;
    /**
     * Handling of an event that the endpoint refuses while it accepts others: it is parked, or it blocks those that follow.
     */
    on_poison?: 'park' | 'block';
    /**
     * 16 to 512 printable characters. Generated if left out.
     */
    secret?: string;
};

export type DirectoryLinkPreview = {
    /**
     * Working keys of people who have left.
     */
    keys: Array<KeyOfLeaver>;
    /**
     * Empty on the last page.
     */
    next_page_token: string;
    /**
     * The first 100 actors of working keys that are no person.
     */
    unmatched_actors: Array<string>;
    /**
     * How many there are, at most 10,000.
     */
    unmatched_actor_count: number;
};

export type Leaver = {
    /**
     * What the person was in.
     */
    cause: 'directory' | 'identity';
    /**
     * Of a person in a directory.
     */
    directory_id?: string;
    /**
     * The user in the directory.
     */
    user_id?: string;
    /**
     * Of a person in identity forms.
     */
    identity_id?: string;
};

export type KeyOfLeaver = {
    key_id: string;
    kind: 'issued' | 'imported' | 'trust';
    name: string;
    actor_id: string;
    leaver: Leaver;
};

export type ListDirectoryLinksResponse = {
    directory_links: Array<DirectoryLink>;
    /**
     * Empty on the last page.
     */
    next_page_token: string;
};

export type DirectoryLink = {
    tenant: string;
    product: string;
    /**
     * Rises with each change in directory sync.
     */
    revision: number;
    /**
     * The attribute of a person that is an actor_id.
     */
    attribute: string;
    /**
     * Stands before the value of the attribute.
     */
    actor_prefix: string;
    /**
     * Other addresses are ignored; empty for all.
     */
    email_domains: Array<string>;
    on_deactivate: 'off' | 'pause' | 'revoke';
    on_delete: 'off' | 'pause' | 'revoke';
    /**
     * When the link was changed.
     */
    update_time: string;
    /**
     * When all people of a directory were received last.
     */
    snapshot_time: string | null;
    /**
     * Actors of working keys that were no person, at most 10,000.
     */
    unmatched_actors: number | null;
    /**
     * When they were counted; once a day.
     */
    count_time: string | null;
};

export type Person = {
    source: 'directory' | 'identity';
    /**
     * Of a person in a directory.
     */
    directory_id?: string;
    /**
     * The user in the directory.
     */
    user_id?: string;
    /**
     * Of a person in identity forms.
     */
    identity_id?: string;
    tenant: string;
    product: string;
    state: 'active' | 'inactive' | 'deleted';
    /**
     * False for an actor that the person was once, such as a former address.
     */
    is_current: boolean;
    /**
     * Since when the person is in this state.
     */
    state_time: string;
};

export type Empty = {
    [key: string]: unknown;
};

export type LeakPattern = {
    /**
     * A regular expression without lookaround, for any engine.
     */
    pattern: string;
    prefixes: Array<string>;
};

export type ReportLeaksResponse = {
    results: Array<{
        /**
         * Whether it belongs to a key. False for public keys, which may be seen.
         */
        is_exposed: boolean;
        /**
         * Empty if it belongs to no key.
         */
        key_id: string;
        status: KeyStatus;
    }>;
};

export type KeyStatus = 'KEY_STATUS_UNSPECIFIED' | 'KEY_STATUS_ACTIVE' | 'KEY_STATUS_REVOKED' | 'KEY_STATUS_EXPIRED' | 'KEY_STATUS_PAUSED';

export type ReportLeaksRequest = {
    requests: Array<{
        /**
         * A secret or an imported key.
         */
        credential: string;
        /**
         * Where it was found.
         */
        url?: string;
        /**
         * The kind of the place, such as commit.
         */
        source?: string;
    }>;
};

export type ListAuditEventsResponse = {
    audit_events: Array<KeysAuditEvent>;
    /**
     * Empty on the last page.
     */
    next_page_token: string;
};

export type KeysAuditEvent = {
    event_id: string;
    /**
     * Such as key.issued.
     */
    type: string;
    /**
     * The key; after a rotation, the new key.
     */
    key_id: string;
    old_key_id: string;
    actor_id: string;
    /**
     * Which admin credential asked, or holder; never the credential itself.
     */
    caller: string;
    ip: string;
    request_id: string;
    create_time: string;
    details: {
        [key: string]: unknown;
    };
};

export type PublishedKeys = {
    keys: Array<JsonWebKey>;
    jwks: {
        keys: Array<JsonWebKey>;
    };
};

export type JsonWebKey = {
    kid: string;
    kty: string;
    alg?: string;
    use?: string;
    crv?: string;
    x?: string;
    y?: string;
    n?: string;
    e?: string;
};

export type SelfRevokeApiKeyRequest = {
    /**
     * A secret, an imported key or a derived token.
     */
    credential: string;
    reason?: RevocationReason;
};

/**
 * Requests may send the number of a value instead: its place in this list, from 0.
 */
export type RevocationReason = 'REVOCATION_REASON_UNSPECIFIED' | 'REVOCATION_REASON_KEY_COMPROMISE' | 'REVOCATION_REASON_AFFILIATION_CHANGED' | 'REVOCATION_REASON_SUPERSEDED' | 'REVOCATION_REASON_PRIVILEGE_WITHDRAWN';

export type AuthorizationServerMetadata = {
    issuer: string;
    token_endpoint: string;
    jwks_uri: string;
    grant_types_supported: Array<string>;
    response_types_supported: Array<string>;
    token_endpoint_auth_methods_supported: Array<string>;
};

export type TokenExchangeResponse = {
    /**
     * The JWT.
     */
    access_token: string;
    issued_token_type: string;
    token_type: 'Bearer';
    /**
     * Seconds.
     */
    expires_in: number;
    /**
     * Separated by blanks.
     */
    scope: string;
};

export type TokenExchangeRequest = {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange';
    /**
     * A key, or a token of a trusted issuer.
     */
    subject_token: string;
    subject_token_type: 'urn:gatehouse:params:oauth:token-type:api-key' | 'urn:ietf:params:oauth:token-type:id_token' | 'urn:ietf:params:oauth:token-type:jwt';
    requested_token_type?: 'urn:ietf:params:oauth:token-type:access_token' | 'urn:ietf:params:oauth:token-type:jwt';
    /**
     * Scopes, separated by blanks; by default all of the key or rule.
     */
    scope?: string;
    /**
     * Who the token is for; may be repeated.
     */
    audience?: Array<string>;
};

export type DeriveTokenResponse = {
    token: Token;
};

export type Token = {
    /**
     * The token to present.
     */
    token: string;
    expire_time: string;
    scopes: Array<string>;
    claims: {
        [key: string]: unknown;
    };
};

export type DeriveTokenRequest = {
    /**
     * A secret, an imported key or a derived token.
     */
    credential: string;
    algorithm?: TokenAlgorithm;
    /**
     * Default 1h; never longer than the key lives.
     */
    ttl?: string;
    scopes?: Array<string>;
    /**
     * Who the token is for: its claim aud, or an aud caveat.
     */
    audiences?: Array<string>;
    /**
     * Short for audiences with this one.
     */
    audience?: string;
    /**
     * The IPv4 or IPv6 address of the client, for keys with ip_restriction. Without it, that of the connection counts, which is your own unless you pass requests of clients on.
     */
    client_ip?: string;
    /**
     * At most 4 KiB. Reserved names are dropped. aud is an audience or a list of up to 64, as in audiences.
     */
    custom_claims?: {
        [key: string]: unknown;
    };
};

/**
 * Requests may send the number of a value instead: its place in this list, from 0.
 */
export type TokenAlgorithm = 'TOKEN_ALGORITHM_UNSPECIFIED' | 'TOKEN_ALGORITHM_JWT' | 'TOKEN_ALGORITHM_MACAROON';

export type BatchVerifyApiKeysResponse = {
    results: Array<VerifyApiKeyResponse>;
};

export type VerificationErrorCode = 'VERIFICATION_ERROR_UNSPECIFIED' | 'VERIFICATION_ERROR_INVALID_FORMAT' | 'VERIFICATION_ERROR_EXPIRED' | 'VERIFICATION_ERROR_REVOKED' | 'VERIFICATION_ERROR_NOT_FOUND' | 'VERIFICATION_ERROR_SIGNATURE_INVALID' | 'VERIFICATION_ERROR_INTERNAL' | 'VERIFICATION_ERROR_IP_NOT_ALLOWED' | 'VERIFICATION_ERROR_RATE_LIMITED' | 'VERIFICATION_ERROR_INSUFFICIENT_SCOPE' | 'VERIFICATION_ERROR_PAUSED' | 'VERIFICATION_ERROR_CREDITS_EXHAUSTED' | 'VERIFICATION_ERROR_AUDIENCE_MISMATCH';

export type RateLimitState = {
    /**
     * default is the limit of rate_limit_policy.
     */
    name: string;
    quota: string;
    /**
     * Absent while Redis is away.
     */
    remaining?: string;
    /**
     * When all of it is there again.
     */
    reset_time: string | null;
    /**
     * Whether this limit refused.
     */
    exceeded: boolean;
    /**
     * If it refused: when this cost can be admitted, as a duration.
     */
    retry_after?: string;
};

export type RateLimitPolicy = {
    /**
     * Requests in a window; above 0.
     */
    quota: string;
    /**
     * Default "requests".
     */
    unit?: string;
    /**
     * A duration of at least one second, such as "60s".
     */
    window: string;
};

/**
 * Requests may send the number of a value instead: its place in this list, from 0.
 */
export type KeyVisibility = 'KEY_VISIBILITY_UNSPECIFIED' | 'KEY_VISIBILITY_SECRET' | 'KEY_VISIBILITY_PUBLIC';

export type VerifyApiKeyResponse = {
    is_valid: boolean;
    status: KeyStatus;
    key_id: string;
    actor_id: string;
    scopes: Array<string>;
    /**
     * Any JSON object of at most 64 KiB.
     */
    metadata: {
        [key: string]: unknown;
    };
    expire_time: string | null;
    visibility: KeyVisibility;
    issuer: string;
    rate_limit_policy: RateLimitPolicy | null;
    /**
     * Those that a token names.
     */
    audiences: Array<string>;
    rate_limit_remaining?: string;
    rate_limit_reset_time: string | null;
    /**
     * Named limits of the key, unless it is refused for another reason.
     */
    rate_limits?: Array<RateLimitState>;
    credits?: {
        /**
         * Up to 10^15.
         */
        remaining: string;
        refill_time: string | null;
    };
    error_code?: VerificationErrorCode;
    error_message?: string;
};

export type BatchVerifyApiKeysRequest = {
    requests: Array<VerifyApiKeyRequest>;
};

export type LimitCost = {
    name: string;
    /**
     * 0 to 1000000000; default 1.
     */
    cost?: number;
};

export type VerifyApiKeyRequest = {
    /**
     * A secret, an imported key or a derived token.
     */
    credential: string;
    required_scopes?: Array<string>;
    /**
     * The IPv4 or IPv6 address of the client, for keys with ip_restriction. Without it, that of the connection counts, which is your own unless you pass requests of clients on.
     */
    client_ip?: string;
    /**
     * The credential must name one of them, so no key is valid.
     */
    expected_audiences?: Array<string>;
    /**
     * The audience that a token must name. Keys are valid too.
     */
    audience?: string;
    /**
     * Cost of this verification by limit; other limits of the key cost 1.
     */
    limits?: Array<LimitCost>;
    credits?: {
        /**
         * 0 to 1000000000; default 1.
         */
        cost?: number;
    };
    /**
     * Whether only to look: nothing is counted.
     */
    peek?: boolean;
    /**
     * Tags of the verification, counted beside the tags of the key.
     */
    tags?: Array<string>;
};

export type ListUsageResponse = {
    usage: Array<UsagePoint>;
    /**
     * Empty on the last page.
     */
    next_page_token: string;
};

export type UsagePoint = {
    /**
     * The start of the minute, hour or day.
     */
    time: string;
    /**
     * With group_by=key, as the other dimensions with their names.
     */
    key_id?: string;
    actor_id?: string;
    tag?: string;
    /**
     * valid, or why not, such as rate_limited.
     */
    outcome?: string;
    /**
     * The limit that refused; empty for none.
     */
    limit?: string;
    /**
     * The prefix or the kind of a credential that is no key.
     */
    prefix?: string;
    /**
     * Verifications, a decimal number.
     */
    count: string;
    /**
     * Their cost in credits: 1 for each valid one.
     */
    cost: string;
};

export type ListRefusalsResponse = {
    refusals: Array<Refusal>;
};

export type Refusal = {
    error_code: VerificationErrorCode;
    /**
     * The limit that refused; empty for none.
     */
    limit: string;
    /**
     * The /24 or /48 network of the client; empty without an address.
     */
    network: string;
    first_time: string;
    last_time: string;
    /**
     * How often, a decimal number; at least.
     */
    count: string;
};

export type KeyCreditsResponse = {
    key_id: string;
    credits: Credits | null;
};

export type Refill = {
    /**
     * The balance is raised to this amount, if it is lower.
     */
    amount: string;
    /**
     * A duration from 60s to 366d.
     */
    interval: string;
    /**
     * The next refill; one interval from now when unset.
     */
    at?: string;
};

export type Credits = {
    /**
     * Up to 10^15.
     */
    remaining: string;
    refill: Refill | null;
    /**
     * Whether each verification is written at once.
     */
    strict: boolean;
};

export type AddCreditsRequest = {
    /**
     * From 1 to 10^15.
     */
    amount: string;
    /**
     * A repeat adds nothing.
     */
    request_id?: string;
};

export type CreditsInput = {
    /**
     * The refill amount by default.
     */
    remaining?: string;
    refill?: Refill;
    /**
     * Whether to write each verification at once.
     */
    strict?: boolean;
};

export type UpdateImportedApiKeyRequest = {
    name?: string;
    scopes?: Array<string>;
    metadata?: {
        [key: string]: unknown;
    };
    tags?: Array<string>;
    rate_limit_policy?: RateLimitPolicy;
    /**
     * Named limits, which are counted beside rate_limit_policy.
     */
    rate_limits?: Array<RateLimit>;
    ip_restriction?: IpRestriction;
    /**
     * How long before its expiry the key is announced, each once; [] announces nothing. Without it, KEY_EXPIRING_THRESHOLDS applies.
     */
    expiring_thresholds?: Array<string>;
    imported_api_key?: {
        name?: string;
        scopes?: Array<string>;
        metadata?: {
            [key: string]: unknown;
        };
        tags?: Array<string>;
        rate_limit_policy?: RateLimitPolicy;
        /**
         * Named limits, which are counted beside rate_limit_policy.
         */
        rate_limits?: Array<RateLimit>;
        ip_restriction?: IpRestriction;
        /**
         * How long before its expiry the key is announced, each once; [] announces nothing. Without it, KEY_EXPIRING_THRESHOLDS applies.
         */
        expiring_thresholds?: Array<string>;
    };
};

export type IpRestriction = {
    allowed_cidrs: Array<string>;
};

export type ListImportedApiKeysResponse = {
    imported_api_keys: Array<ImportedApiKey>;
    /**
     * Empty on the last page.
     */
    next_page_token: string;
};

export type ImportedApiKey = {
    /**
     * Identifier of the key.
     */
    key_id: string;
    /**
     * Label, at most 255 characters.
     */
    name: string;
    /**
     * Owner; never changes.
     */
    actor_id: string;
    scopes: Array<string>;
    status: KeyStatus;
    /**
     * Any JSON object of at most 64 KiB.
     */
    metadata: {
        [key: string]: unknown;
    };
    /**
     * Absent when there are none.
     */
    tags?: Array<string>;
    create_time: string;
    update_time: string;
    expire_time: string | null;
    /**
     * Written in the background.
     */
    last_used_time: string | null;
    rate_limit_policy: RateLimitPolicy | null;
    /**
     * Absent when there are none.
     */
    rate_limits?: Array<RateLimit>;
    credits?: Credits;
    ip_restriction: IpRestriction | null;
    /**
     * How long before its expiry the key is announced; absent while KEY_EXPIRING_THRESHOLDS applies.
     */
    expiring_thresholds?: Array<string>;
    visibility: KeyVisibility;
    leaver?: Leaver;
    revocation_reason?: RevocationReason;
    /**
     * Only with PRIVILEGE_WITHDRAWN.
     */
    revocation_description: string;
};

export type BatchCreateImportedApiKeysResponse = {
    results: Array<BatchCreateImportedApiKeysResult>;
    success_count: number;
    failure_count: number;
};

export type BatchCreateImportedApiKeysErrorCode = 'BATCH_CREATE_IMPORTED_API_KEYS_ERROR_UNSPECIFIED' | 'BATCH_CREATE_IMPORTED_API_KEYS_ERROR_INVALID_ARGUMENT' | 'BATCH_CREATE_IMPORTED_API_KEYS_ERROR_ALREADY_EXISTS' | 'BATCH_CREATE_IMPORTED_API_KEYS_ERROR_FAILED_PRECONDITION' | 'BATCH_CREATE_IMPORTED_API_KEYS_ERROR_INTERNAL' | 'BATCH_CREATE_IMPORTED_API_KEYS_ERROR_RESOURCE_EXHAUSTED';

export type BatchCreateImportedApiKeysResult = {
    index: number;
    imported_api_key?: ImportedApiKey;
    error_code?: BatchCreateImportedApiKeysErrorCode;
    error_message?: string;
};

export type BatchCreateImportedApiKeysRequest = {
    requests: Array<ImportApiKeyRequest>;
    /**
     * Whether to import nothing, and only to return what would come of it.
     */
    validate_only?: boolean;
};

/**
 * Requests may send the number of a value instead: its place in this list, from 0.
 */
export type HashedPart = 'HASHED_PART_UNSPECIFIED' | 'HASHED_PART_KEY' | 'HASHED_PART_AFTER_PREFIX';

/**
 * Requests may send the number of a value instead: its place in this list, from 0.
 */
export type SaltPosition = 'SALT_POSITION_UNSPECIFIED' | 'SALT_POSITION_BEFORE' | 'SALT_POSITION_AFTER';

/**
 * Requests may send the number of a value instead: its place in this list, from 0.
 */
export type HashEncoding = 'HASH_ENCODING_UNSPECIFIED' | 'HASH_ENCODING_HEX' | 'HASH_ENCODING_BASE64' | 'HASH_ENCODING_BASE64URL' | 'HASH_ENCODING_TEXT';

/**
 * Requests may send the number of a value instead: its place in this list, from 0.
 */
export type HashAlgorithm = 'HASH_ALGORITHM_UNSPECIFIED' | 'HASH_ALGORITHM_SHA256' | 'HASH_ALGORITHM_SHA512' | 'HASH_ALGORITHM_HMAC_SHA256' | 'HASH_ALGORITHM_HMAC_SHA512' | 'HASH_ALGORITHM_BCRYPT' | 'HASH_ALGORITHM_ARGON2ID' | 'HASH_ALGORITHM_SCRYPT';

export type ImportedHash = {
    algorithm: HashAlgorithm;
    /**
     * The digest; or a whole hash such as $2b$10$…, $argon2id$… or $scrypt$….
     */
    value: string;
    /**
     * Encoding of a digest; default HEX.
     */
    encoding?: HashEncoding;
    /**
     * At most 256 bytes.
     */
    salt?: string;
    /**
     * Default TEXT.
     */
    salt_encoding?: HashEncoding;
    /**
     * Default BEFORE.
     */
    salt_position?: SaltPosition;
    /**
     * Key of an HMAC: 16 to 1024 bytes. Stored encrypted.
     */
    key?: string;
    /**
     * Default TEXT.
     */
    key_encoding?: HashEncoding;
    /**
     * Scrypt cost: a power of 2; n times r times p is at most 1048576.
     */
    n?: number;
    /**
     * Scrypt block size.
     */
    r?: number;
    /**
     * Scrypt parallelization.
     */
    p?: number;
    /**
     * How the key begins: not secret. For all but digests without a salt.
     */
    lookup_prefix?: string;
    /**
     * The hashed part; default KEY.
     */
    hashed_part?: HashedPart;
};

export type ImportApiKeyRequest = {
    name: string;
    scopes?: Array<string>;
    metadata?: {
        [key: string]: unknown;
    };
    tags?: Array<string>;
    rate_limit_policy?: RateLimitPolicy;
    /**
     * Named limits, which are counted beside rate_limit_policy.
     */
    rate_limits?: Array<RateLimit>;
    ip_restriction?: IpRestriction;
    /**
     * How long before its expiry the key is announced, each once; [] announces nothing. Without it, KEY_EXPIRING_THRESHOLDS applies.
     */
    expiring_thresholds?: Array<string>;
    /**
     * Owner of the key.
     */
    actor_id: string;
    /**
     * A duration such as "24h" or "3600s".
     */
    ttl?: string;
    credits?: CreditsInput;
    visibility?: KeyVisibility;
    /**
     * A repeat answers with the first key.
     */
    request_id?: string;
    /**
     * The key as it was made elsewhere; never stored. Required without hash.
     */
    raw_key?: string;
    hash?: ImportedHash;
};

export type KeepImportedHashesRequest = {
    /**
     * By default all.
     */
    algorithms?: Array<HashAlgorithm>;
};

export type DropImportedHashesRequest = {
    /**
     * May be in the past.
     */
    drop_time: string;
    /**
     * By default all.
     */
    algorithms?: Array<HashAlgorithm>;
};

export type RevocationInput = {
    reason?: RevocationReason;
    /**
     * Only with PRIVILEGE_WITHDRAWN.
     */
    description?: string;
};

export type ApiKeyResponse = {
    issued_api_key?: IssuedApiKey;
    imported_api_key?: ImportedApiKey;
    trust_rule?: TrustRule;
};

export type TrustRule = {
    /**
     * Identifier of the key.
     */
    key_id: string;
    /**
     * Label, at most 255 characters.
     */
    name: string;
    /**
     * Owner; never changes.
     */
    actor_id: string;
    scopes: Array<string>;
    status: KeyStatus;
    /**
     * Any JSON object of at most 64 KiB.
     */
    metadata: {
        [key: string]: unknown;
    };
    /**
     * Absent when there are none.
     */
    tags?: Array<string>;
    create_time: string;
    update_time: string;
    expire_time: string | null;
    /**
     * Written in the background.
     */
    last_used_time: string | null;
    rate_limit_policy: RateLimitPolicy | null;
    /**
     * Absent when there are none.
     */
    rate_limits?: Array<RateLimit>;
    credits?: Credits;
    ip_restriction: IpRestriction | null;
    /**
     * How long before its expiry the key is announced; absent while KEY_EXPIRING_THRESHOLDS applies.
     */
    expiring_thresholds?: Array<string>;
    visibility: KeyVisibility;
    leaver?: Leaver;
    revocation_reason?: RevocationReason;
    /**
     * Only with PRIVILEGE_WITHDRAWN.
     */
    revocation_description: string;
    /**
     * The claim iss of the tokens that it accepts.
     */
    issuer: string;
    /**
     * Their claim aud.
     */
    audience: string;
    /**
     * What their claim sub has to fit.
     */
    subject_pattern: string;
    /**
     * Further claims.
     */
    claims: {
        [key: string]: string | boolean;
    };
    /**
     * How long its own tokens live, a duration.
     */
    token_ttl: string;
    /**
     * Whether it accepts a token once.
     */
    single_use: boolean;
};

export type IssuedApiKey = {
    /**
     * Identifier of the key.
     */
    key_id: string;
    /**
     * Label, at most 255 characters.
     */
    name: string;
    /**
     * Owner; never changes.
     */
    actor_id: string;
    scopes: Array<string>;
    status: KeyStatus;
    /**
     * Any JSON object of at most 64 KiB.
     */
    metadata: {
        [key: string]: unknown;
    };
    /**
     * Absent when there are none.
     */
    tags?: Array<string>;
    create_time: string;
    update_time: string;
    expire_time: string | null;
    /**
     * Written in the background.
     */
    last_used_time: string | null;
    rate_limit_policy: RateLimitPolicy | null;
    /**
     * Absent when there are none.
     */
    rate_limits?: Array<RateLimit>;
    credits?: Credits;
    ip_restriction: IpRestriction | null;
    /**
     * How long before its expiry the key is announced; absent while KEY_EXPIRING_THRESHOLDS applies.
     */
    expiring_thresholds?: Array<string>;
    visibility: KeyVisibility;
    leaver?: Leaver;
    revocation_reason?: RevocationReason;
    /**
     * Only with PRIVILEGE_WITHDRAWN.
     */
    revocation_description: string;
    /**
     * Prefix and the last four characters of the secret.
     */
    key_preview: string;
};

export type UpdateTrustRuleRequest = {
    name?: string;
    scopes?: Array<string>;
    metadata?: {
        [key: string]: unknown;
    };
    tags?: Array<string>;
    rate_limit_policy?: RateLimitPolicy;
    /**
     * Named limits, which are counted beside rate_limit_policy.
     */
    rate_limits?: Array<RateLimit>;
    ip_restriction?: IpRestriction;
    /**
     * How long before its expiry the key is announced, each once; [] announces nothing. Without it, KEY_EXPIRING_THRESHOLDS applies.
     */
    expiring_thresholds?: Array<string>;
    /**
     * The claim iss of tokens, an https address below which its metadata is.
     */
    issuer?: string;
    /**
     * The claim aud of tokens, which names nothing else.
     */
    audience?: string;
    /**
     * What the claim sub has to fit. * stands for any characters but a colon, at the end for any.
     */
    subject_pattern?: string;
    /**
     * Up to 16 further claims, with the values that they must have.
     */
    claims?: {
        [key: string]: string | boolean;
    };
    /**
     * How long the tokens of the rule live; default 1h.
     */
    token_ttl?: string;
    /**
     * Whether a token is accepted once, by its jti.
     */
    single_use?: boolean;
    trust_rule?: {
        name?: string;
        scopes?: Array<string>;
        metadata?: {
            [key: string]: unknown;
        };
        tags?: Array<string>;
        rate_limit_policy?: RateLimitPolicy;
        /**
         * Named limits, which are counted beside rate_limit_policy.
         */
        rate_limits?: Array<RateLimit>;
        ip_restriction?: IpRestriction;
        /**
         * How long before its expiry the key is announced, each once; [] announces nothing. Without it, KEY_EXPIRING_THRESHOLDS applies.
         */
        expiring_thresholds?: Array<string>;
        /**
         * The claim iss of tokens, an https address below which its metadata is.
         */
        issuer?: string;
        /**
         * The claim aud of tokens, which names nothing else.
         */
        audience?: string;
        /**
         * What the claim sub has to fit. * stands for any characters but a colon, at the end for any.
         */
        subject_pattern?: string;
        /**
         * Up to 16 further claims, with the values that they must have.
         */
        claims?: {
            [key: string]: string | boolean;
        };
        /**
         * How long the tokens of the rule live; default 1h.
         */
        token_ttl?: string;
        /**
         * Whether a token is accepted once, by its jti.
         */
        single_use?: boolean;
    };
};

export type ListTrustRulesResponse = {
    trust_rules: Array<TrustRule>;
    /**
     * Empty on the last page.
     */
    next_page_token: string;
};

export type CreateTrustRuleRequest = {
    name: string;
    scopes?: Array<string>;
    metadata?: {
        [key: string]: unknown;
    };
    tags?: Array<string>;
    rate_limit_policy?: RateLimitPolicy;
    /**
     * Named limits, which are counted beside rate_limit_policy.
     */
    rate_limits?: Array<RateLimit>;
    ip_restriction?: IpRestriction;
    /**
     * How long before its expiry the key is announced, each once; [] announces nothing. Without it, KEY_EXPIRING_THRESHOLDS applies.
     */
    expiring_thresholds?: Array<string>;
    /**
     * Owner of the key.
     */
    actor_id: string;
    /**
     * A duration such as "24h" or "3600s".
     */
    ttl?: string;
    credits?: CreditsInput;
    visibility?: KeyVisibility;
    /**
     * A repeat answers with the first key.
     */
    request_id?: string;
    /**
     * The claim iss of tokens, an https address below which its metadata is.
     */
    issuer: string;
    /**
     * The claim aud of tokens, which names nothing else.
     */
    audience: string;
    /**
     * What the claim sub has to fit. * stands for any characters but a colon, at the end for any.
     */
    subject_pattern: string;
    /**
     * Up to 16 further claims, with the values that they must have.
     */
    claims?: {
        [key: string]: string | boolean;
    };
    /**
     * How long the tokens of the rule live; default 1h.
     */
    token_ttl?: string;
    /**
     * Whether a token is accepted once, by its jti.
     */
    single_use?: boolean;
};

export type RotateIssuedApiKeyResponse = {
    issued_api_key: IssuedApiKey;
    /**
     * Shown once.
     */
    secret: string;
    old_issued_api_key: IssuedApiKey;
};

export type RotateIssuedApiKeyRequest = {
    name?: string;
    scopes?: Array<string>;
    metadata?: {
        [key: string]: unknown;
    };
    tags?: Array<string>;
    rate_limit_policy?: RateLimitPolicy;
    /**
     * Named limits, which are counted beside rate_limit_policy.
     */
    rate_limits?: Array<RateLimit>;
    ip_restriction?: IpRestriction;
    /**
     * How long before its expiry the key is announced, each once; [] announces nothing. Without it, KEY_EXPIRING_THRESHOLDS applies.
     */
    expiring_thresholds?: Array<string>;
    visibility?: KeyVisibility;
    /**
     * Prefix of the secret: one of SECRET_PREFIX, or of PUBLIC_PREFIX for a public key.
     */
    prefix?: string;
    /**
     * How long the old key lives on; without it, it is revoked at once.
     */
    grace_period?: string;
};

export type UpdateIssuedApiKeyRequest = {
    name?: string;
    scopes?: Array<string>;
    metadata?: {
        [key: string]: unknown;
    };
    tags?: Array<string>;
    rate_limit_policy?: RateLimitPolicy;
    /**
     * Named limits, which are counted beside rate_limit_policy.
     */
    rate_limits?: Array<RateLimit>;
    ip_restriction?: IpRestriction;
    /**
     * How long before its expiry the key is announced, each once; [] announces nothing. Without it, KEY_EXPIRING_THRESHOLDS applies.
     */
    expiring_thresholds?: Array<string>;
    issued_api_key?: {
        name?: string;
        scopes?: Array<string>;
        metadata?: {
            [key: string]: unknown;
        };
        tags?: Array<string>;
        rate_limit_policy?: RateLimitPolicy;
        /**
         * Named limits, which are counted beside rate_limit_policy.
         */
        rate_limits?: Array<RateLimit>;
        ip_restriction?: IpRestriction;
        /**
         * How long before its expiry the key is announced, each once; [] announces nothing. Without it, KEY_EXPIRING_THRESHOLDS applies.
         */
        expiring_thresholds?: Array<string>;
    };
};

export type ListIssuedApiKeysResponse = {
    issued_api_keys: Array<IssuedApiKey>;
    /**
     * Empty on the last page.
     */
    next_page_token: string;
};

export type IssueApiKeyResponse = {
    issued_api_key: IssuedApiKey;
    /**
     * Shown once. Empty when the request was a repeat.
     */
    secret: string;
};

export type IssueApiKeyRequest = {
    name: string;
    scopes?: Array<string>;
    metadata?: {
        [key: string]: unknown;
    };
    tags?: Array<string>;
    rate_limit_policy?: RateLimitPolicy;
    /**
     * Named limits, which are counted beside rate_limit_policy.
     */
    rate_limits?: Array<RateLimit>;
    ip_restriction?: IpRestriction;
    /**
     * How long before its expiry the key is announced, each once; [] announces nothing. Without it, KEY_EXPIRING_THRESHOLDS applies.
     */
    expiring_thresholds?: Array<string>;
    /**
     * Owner of the key.
     */
    actor_id: string;
    /**
     * A duration such as "24h" or "3600s".
     */
    ttl?: string;
    credits?: CreditsInput;
    visibility?: KeyVisibility;
    /**
     * A repeat answers with the first key.
     */
    request_id?: string;
    /**
     * Prefix of the secret: one of SECRET_PREFIX, or of PUBLIC_PREFIX for a public key.
     */
    prefix?: string;
};

export type SearchResponse = {
    hits: Array<{
        kind: 'issued_api_key' | 'imported_api_key' | 'trust_rule' | 'actor' | 'webhook_endpoint' | 'portal_session' | 'event';
        /**
         * That of the record; of an actor, its actor_id.
         */
        id: string;
        /**
         * The name, the address or the type of the record.
         */
        title: string;
        /**
         * One more line, such as its status and its owner.
         */
        detail: string;
        /**
         * Always empty here.
         */
        parent_id: string;
    }>;
    /**
     * Whether a kind has more hits than page_size.
     */
    is_more: boolean;
};

export type Actor = {
    actor_id: string;
    /**
     * The newest 100; state_reason is null while a key is active.
     */
    issued_api_keys: Array<{
        /**
         * Identifier of the key.
         */
        key_id: string;
        /**
         * Label, at most 255 characters.
         */
        name: string;
        /**
         * Owner; never changes.
         */
        actor_id: string;
        scopes: Array<string>;
        status: KeyStatus;
        /**
         * Any JSON object of at most 64 KiB.
         */
        metadata: {
            [key: string]: unknown;
        };
        /**
         * Absent when there are none.
         */
        tags?: Array<string>;
        create_time: string;
        update_time: string;
        expire_time: string | null;
        /**
         * Written in the background.
         */
        last_used_time: string | null;
        rate_limit_policy: RateLimitPolicy | null;
        /**
         * Absent when there are none.
         */
        rate_limits?: Array<RateLimit>;
        credits?: Credits;
        ip_restriction: IpRestriction | null;
        /**
         * How long before its expiry the key is announced; absent while KEY_EXPIRING_THRESHOLDS applies.
         */
        expiring_thresholds?: Array<string>;
        visibility: KeyVisibility;
        leaver?: Leaver;
        revocation_reason?: RevocationReason;
        /**
         * Only with PRIVILEGE_WITHDRAWN.
         */
        revocation_description: string;
        key_preview: string;
        state_reason: {
            cause: 'administrator' | 'directory' | 'expiry' | 'holder' | 'identity' | 'leak_report' | 'portal' | 'rotation' | 'unknown';
            time: string;
            /**
             * As in audit events; empty if the key ended by itself.
             */
            caller: string;
        } | null;
    }>;
    /**
     * Of the list of issued keys with this actor_id; empty for none.
     */
    next_issued_page_token: string;
    imported_api_keys: Array<{
        /**
         * Identifier of the key.
         */
        key_id: string;
        /**
         * Label, at most 255 characters.
         */
        name: string;
        /**
         * Owner; never changes.
         */
        actor_id: string;
        scopes: Array<string>;
        status: KeyStatus;
        /**
         * Any JSON object of at most 64 KiB.
         */
        metadata: {
            [key: string]: unknown;
        };
        /**
         * Absent when there are none.
         */
        tags?: Array<string>;
        create_time: string;
        update_time: string;
        expire_time: string | null;
        /**
         * Written in the background.
         */
        last_used_time: string | null;
        rate_limit_policy: RateLimitPolicy | null;
        /**
         * Absent when there are none.
         */
        rate_limits?: Array<RateLimit>;
        credits?: Credits;
        ip_restriction: IpRestriction | null;
        /**
         * How long before its expiry the key is announced; absent while KEY_EXPIRING_THRESHOLDS applies.
         */
        expiring_thresholds?: Array<string>;
        visibility: KeyVisibility;
        leaver?: Leaver;
        revocation_reason?: RevocationReason;
        /**
         * Only with PRIVILEGE_WITHDRAWN.
         */
        revocation_description: string;
        state_reason: {
            cause: 'administrator' | 'directory' | 'expiry' | 'holder' | 'identity' | 'leak_report' | 'portal' | 'rotation' | 'unknown';
            time: string;
            /**
             * As in audit events; empty if the key ended by itself.
             */
            caller: string;
        } | null;
    }>;
    /**
     * Of the list of imported keys.
     */
    next_imported_page_token: string;
    trust_rules: Array<{
        /**
         * Identifier of the key.
         */
        key_id: string;
        /**
         * Label, at most 255 characters.
         */
        name: string;
        /**
         * Owner; never changes.
         */
        actor_id: string;
        scopes: Array<string>;
        status: KeyStatus;
        /**
         * Any JSON object of at most 64 KiB.
         */
        metadata: {
            [key: string]: unknown;
        };
        /**
         * Absent when there are none.
         */
        tags?: Array<string>;
        create_time: string;
        update_time: string;
        expire_time: string | null;
        /**
         * Written in the background.
         */
        last_used_time: string | null;
        rate_limit_policy: RateLimitPolicy | null;
        /**
         * Absent when there are none.
         */
        rate_limits?: Array<RateLimit>;
        credits?: Credits;
        ip_restriction: IpRestriction | null;
        /**
         * How long before its expiry the key is announced; absent while KEY_EXPIRING_THRESHOLDS applies.
         */
        expiring_thresholds?: Array<string>;
        visibility: KeyVisibility;
        leaver?: Leaver;
        revocation_reason?: RevocationReason;
        /**
         * Only with PRIVILEGE_WITHDRAWN.
         */
        revocation_description: string;
        /**
         * The claim iss of the tokens that it accepts.
         */
        issuer: string;
        /**
         * Their claim aud.
         */
        audience: string;
        /**
         * What their claim sub has to fit.
         */
        subject_pattern: string;
        /**
         * Further claims.
         */
        claims: {
            [key: string]: string | boolean;
        };
        /**
         * How long its own tokens live, a duration.
         */
        token_ttl: string;
        /**
         * Whether it accepts a token once.
         */
        single_use: boolean;
        state_reason: {
            cause: 'administrator' | 'directory' | 'expiry' | 'holder' | 'identity' | 'leak_report' | 'portal' | 'rotation' | 'unknown';
            time: string;
            /**
             * As in audit events; empty if the key ended by itself.
             */
            caller: string;
        } | null;
    }>;
    /**
     * Of the list of trust rules.
     */
    next_trust_page_token: string;
    /**
     * The newest 50 of the last 1000 audit events.
     */
    tokens: Array<{
        token_id: string;
        key_id: string;
        algorithm: TokenAlgorithm;
        expire_time: string;
        create_time: string;
    }>;
    usage: {
        /**
         * Numbers of verifications by outcome.
         */
        last_24_hours: {
            [key: string]: string;
        };
        /**
         * Numbers of verifications by outcome.
         */
        last_30_days: {
            [key: string]: string;
        };
    };
    /**
     * Those that work.
     */
    portal_sessions: Array<PortalSession>;
    /**
     * The users of linked directories behind the actor; the last to change first.
     */
    people: Array<Person>;
};

export type ImportedHashCounts = {
    algorithm: HashAlgorithm;
    total_count: number;
    /**
     * Used since; their hashes are gone.
     */
    rekeyed_count: number;
    /**
     * Not used yet.
     */
    pending_count: number;
    /**
     * Revoked or expired before their first use.
     */
    ended_count: number;
    /**
     * Revoked, because they were not used by drop_time.
     */
    dropped_count: number;
    /**
     * When the hashes that are pending are dropped.
     */
    drop_time: string | null;
};

export type ImportedHashes = {
    algorithms: Array<ImportedHashCounts>;
};

export type ActorsGetData = {
    body?: never;
    path: {
        actor_id: string;
    };
    query?: never;
    url: '/v2alpha1/admin/actors/{actor_id}';
};

export type ActorsGetResponses = {
    /**
     * Everything about the actor.
     */
    200: Actor;
};

export type ActorsGetResponse = ActorsGetResponses[keyof ActorsGetResponses];

export type ActorsFindData = {
    body?: never;
    path?: never;
    query: {
        actor_id: string;
    };
    url: '/v2alpha1/admin/actors';
};

export type ActorsFindResponses = {
    /**
     * Everything about the actor.
     */
    200: Actor;
};

export type ActorsFindResponse = ActorsFindResponses[keyof ActorsFindResponses];

export type KeysAuditEventsListData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Default 50, at most 1000.
         */
        page_size?: number;
        /**
         * The next_page_token of the page before.
         */
        page_token?: string;
        /**
         * field="value", joined by AND.
         */
        filter?: string;
    };
    url: '/v2alpha1/admin/auditEvents';
};

export type KeysAuditEventsListResponses = {
    /**
     * A page of events.
     */
    200: ListAuditEventsResponse;
};

export type KeysAuditEventsListResponse = KeysAuditEventsListResponses[keyof KeysAuditEventsListResponses];

export type DirectoryLinksListData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Default 50, at most 1000.
         */
        page_size?: number;
        /**
         * The next_page_token of the page before.
         */
        page_token?: string;
        tenant?: string;
        product?: string;
    };
    url: '/v2alpha1/admin/directoryLinks';
};

export type DirectoryLinksListResponses = {
    /**
     * A page of links.
     */
    200: ListDirectoryLinksResponse;
};

export type DirectoryLinksListResponse = DirectoryLinksListResponses[keyof DirectoryLinksListResponses];

export type DirectoryLinksPreviewData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Default 50, at most 1000.
         */
        page_size?: number;
        /**
         * The next_page_token of the page before.
         */
        page_token?: string;
        tenant?: string;
        product?: string;
    };
    url: '/v2alpha1/admin/directoryLinks:preview';
};

export type DirectoryLinksPreviewResponses = {
    /**
     * A page of keys.
     */
    200: DirectoryLinkPreview;
};

export type DirectoryLinksPreviewResponse = DirectoryLinksPreviewResponses[keyof DirectoryLinksPreviewResponses];

export type ImportedHashesGetData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v2alpha1/admin/importedHashes';
};

export type ImportedHashesGetResponses = {
    /**
     * The keys that were imported by a hash, counted.
     */
    200: ImportedHashes;
};

export type ImportedHashesGetResponse = ImportedHashesGetResponses[keyof ImportedHashesGetResponses];

export type ImportedHashesDropData = {
    body: DropImportedHashesRequest;
    path?: never;
    query?: never;
    url: '/v2alpha1/admin/importedHashes:drop';
};

export type ImportedHashesDropResponses = {
    /**
     * The keys that were imported by a hash, counted.
     */
    200: ImportedHashes;
};

export type ImportedHashesDropResponse = ImportedHashesDropResponses[keyof ImportedHashesDropResponses];

export type ImportedHashesKeepData = {
    body: KeepImportedHashesRequest;
    path?: never;
    query?: never;
    url: '/v2alpha1/admin/importedHashes:keep';
};

export type ImportedHashesKeepResponses = {
    /**
     * The keys that were imported by a hash, counted.
     */
    200: ImportedHashes;
};

export type ImportedHashesKeepResponse = ImportedHashesKeepResponses[keyof ImportedHashesKeepResponses];

export type ImportedKeysListData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Default 50, at most 1000.
         */
        page_size?: number;
        /**
         * The next_page_token of the page before.
         */
        page_token?: string;
        /**
         * Comparisons joined by AND: actor_id, name, status and visibility with =, tags with :, key_preview (issued keys only) with = and a part of a secret such as "…k3Zq", create_time and expire_time with =, < and >. With expire_time, the list is in its order. Between quotes, \" and \\ stand for " and \.
         */
        filter?: string;
    };
    url: '/v2alpha1/admin/importedApiKeys';
};

export type ImportedKeysListResponses = {
    /**
     * A page of keys.
     */
    200: ListImportedApiKeysResponse;
};

export type ImportedKeysListResponse = ImportedKeysListResponses[keyof ImportedKeysListResponses];

export type ImportedKeysImportData = {
    body: ImportApiKeyRequest;
    path?: never;
    query?: never;
    url: '/v2alpha1/admin/importedApiKeys';
};

export type ImportedKeysImportResponses = {
    /**
     * The key.
     */
    201: ImportedApiKey;
};

export type ImportedKeysImportResponse = ImportedKeysImportResponses[keyof ImportedKeysImportResponses];

export type ImportedKeysDeleteData = {
    body?: never;
    path: {
        key_id: string;
    };
    query?: never;
    url: '/v2alpha1/admin/importedApiKeys/{key_id}';
};

export type ImportedKeysDeleteResponses = {
    /**
     * It is gone, and may be imported again.
     */
    204: void;
};

export type ImportedKeysDeleteResponse = ImportedKeysDeleteResponses[keyof ImportedKeysDeleteResponses];

export type ImportedKeysGetData = {
    body?: never;
    path: {
        key_id: string;
    };
    query?: never;
    url: '/v2alpha1/admin/importedApiKeys/{key_id}';
};

export type ImportedKeysGetResponses = {
    /**
     * The key.
     */
    200: ImportedApiKey;
};

export type ImportedKeysGetResponse = ImportedKeysGetResponses[keyof ImportedKeysGetResponses];

export type ImportedKeysUpdateData = {
    body: UpdateImportedApiKeyRequest;
    path: {
        key_id: string;
    };
    query?: {
        /**
         * Fields to change, separated by commas, or *.
         */
        update_mask?: string;
    };
    url: '/v2alpha1/admin/importedApiKeys/{key_id}';
};

export type ImportedKeysUpdateResponses = {
    /**
     * The key as it is now.
     */
    200: ImportedApiKey;
};

export type ImportedKeysUpdateResponse = ImportedKeysUpdateResponses[keyof ImportedKeysUpdateResponses];

export type KeysListData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Default 50, at most 1000.
         */
        page_size?: number;
        /**
         * The next_page_token of the page before.
         */
        page_token?: string;
        /**
         * Comparisons joined by AND: actor_id, name, status and visibility with =, tags with :, key_preview (issued keys only) with = and a part of a secret such as "…k3Zq", create_time and expire_time with =, < and >. With expire_time, the list is in its order. Between quotes, \" and \\ stand for " and \.
         */
        filter?: string;
    };
    url: '/v2alpha1/admin/issuedApiKeys';
};

export type KeysListResponses = {
    /**
     * A page of keys.
     */
    200: ListIssuedApiKeysResponse;
};

export type KeysListResponse = KeysListResponses[keyof KeysListResponses];

export type KeysIssueData = {
    body: IssueApiKeyRequest;
    path?: never;
    query?: never;
    url: '/v2alpha1/admin/issuedApiKeys';
};

export type KeysIssueResponses = {
    /**
     * The key and its secret.
     */
    201: IssueApiKeyResponse;
};

export type KeysIssueResponse = KeysIssueResponses[keyof KeysIssueResponses];

export type KeysRotateData = {
    body?: RotateIssuedApiKeyRequest;
    path: {
        key_id: string;
    };
    query?: never;
    url: '/v2alpha1/admin/issuedApiKeys/{key_id}:rotate';
};

export type KeysRotateResponses = {
    /**
     * The new key, its secret, and the old key.
     */
    201: RotateIssuedApiKeyResponse;
};

export type KeysRotateResponse = KeysRotateResponses[keyof KeysRotateResponses];

export type KeysGetData = {
    body?: never;
    path: {
        key_id: string;
    };
    query?: never;
    url: '/v2alpha1/admin/issuedApiKeys/{key_id}';
};

export type KeysGetResponses = {
    /**
     * The key.
     */
    200: IssuedApiKey;
};

export type KeysGetResponse = KeysGetResponses[keyof KeysGetResponses];

export type KeysUpdateData = {
    body: UpdateIssuedApiKeyRequest;
    path: {
        key_id: string;
    };
    query?: {
        /**
         * Fields to change, separated by commas, or *.
         */
        update_mask?: string;
    };
    url: '/v2alpha1/admin/issuedApiKeys/{key_id}';
};

export type KeysUpdateResponses = {
    /**
     * The key as it is now.
     */
    200: IssuedApiKey;
};

export type KeysUpdateResponse = KeysUpdateResponses[keyof KeysUpdateResponses];

export type KeysAddCreditsData = {
    body: AddCreditsRequest;
    path: {
        key_id: string;
    };
    query?: never;
    url: '/v2alpha1/admin/apiKeys/{key_id}:addCredits';
};

export type KeysAddCreditsResponses = {
    /**
     * The credits as they are now.
     */
    200: KeyCreditsResponse;
};

export type KeysAddCreditsResponse = KeysAddCreditsResponses[keyof KeysAddCreditsResponses];

export type KeysSetCreditsData = {
    body: CreditsInput;
    path: {
        key_id: string;
    };
    query?: never;
    url: '/v2alpha1/admin/apiKeys/{key_id}:setCredits';
};

export type KeysSetCreditsResponses = {
    /**
     * The credits as they are now.
     */
    200: KeyCreditsResponse;
};

export type KeysSetCreditsResponse = KeysSetCreditsResponses[keyof KeysSetCreditsResponses];

export type KeysRemoveCreditsData = {
    body?: never;
    path: {
        key_id: string;
    };
    query?: never;
    url: '/v2alpha1/admin/apiKeys/{key_id}:removeCredits';
};

export type KeysRemoveCreditsResponses = {
    /**
     * The credits as they are now.
     */
    200: KeyCreditsResponse;
};

export type KeysRemoveCreditsResponse = KeysRemoveCreditsResponses[keyof KeysRemoveCreditsResponses];

export type KeysPauseData = {
    body?: never;
    path: {
        key_id: string;
    };
    query?: never;
    url: '/v2alpha1/admin/apiKeys/{key_id}:pause';
};

export type KeysPauseResponses = {
    /**
     * The key as it is now.
     */
    200: ApiKeyResponse;
};

export type KeysPauseResponse = KeysPauseResponses[keyof KeysPauseResponses];

export type KeysResumeData = {
    body?: never;
    path: {
        key_id: string;
    };
    query?: never;
    url: '/v2alpha1/admin/apiKeys/{key_id}:resume';
};

export type KeysResumeResponses = {
    /**
     * The key as it is now.
     */
    200: ApiKeyResponse;
};

export type KeysResumeResponse = KeysResumeResponses[keyof KeysResumeResponses];

export type KeysUndeleteData = {
    body?: never;
    path: {
        key_id: string;
    };
    query?: never;
    url: '/v2alpha1/admin/apiKeys/{key_id}:undelete';
};

export type KeysUndeleteResponses = {
    /**
     * The key as it is now.
     */
    200: ApiKeyResponse;
};

export type KeysUndeleteResponse = KeysUndeleteResponses[keyof KeysUndeleteResponses];

export type KeysEraseData = {
    body?: never;
    path: {
        key_id: string;
    };
    query?: never;
    url: '/v2alpha1/admin/apiKeys/{key_id}:erase';
};

export type KeysEraseResponses = {
    /**
     * The key as it is now.
     */
    200: ApiKeyResponse;
};

export type KeysEraseResponse = KeysEraseResponses[keyof KeysEraseResponses];

export type LeaksReportData = {
    body: ReportLeaksRequest;
    path?: never;
    query?: never;
    url: '/v2alpha1/admin/apiKeys:reportLeaks';
};

export type LeaksReportResponses = {
    /**
     * The kind of each credential, in order.
     */
    200: ReportLeaksResponse;
};

export type LeaksReportResponse = LeaksReportResponses[keyof LeaksReportResponses];

export type LeaksPatternData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v2alpha1/admin/apiKeys:leakPattern';
};

export type LeaksPatternResponses = {
    /**
     * To register with scanners.
     */
    200: LeakPattern;
};

export type LeaksPatternResponse = LeaksPatternResponses[keyof LeaksPatternResponses];

export type PortalSessionsListData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Default 50, at most 1000.
         */
        page_size?: number;
        /**
         * The next_page_token of the page before.
         */
        page_token?: string;
        /**
         * Only sessions of this actor.
         */
        actor_id?: string;
    };
    url: '/v2alpha1/admin/portalSessions';
};

export type PortalSessionsListResponses = {
    /**
     * A page.
     */
    200: ListPortalSessionsResponse;
};

export type PortalSessionsListResponse = PortalSessionsListResponses[keyof PortalSessionsListResponses];

export type PortalSessionsCreateData = {
    body: CreatePortalSessionRequest;
    path?: never;
    query?: never;
    url: '/v2alpha1/admin/portalSessions';
};

export type PortalSessionsCreateResponses = {
    /**
     * The session, and its address, which opens once.
     */
    201: CreatePortalSessionResponse;
};

export type PortalSessionsCreateResponse = PortalSessionsCreateResponses[keyof PortalSessionsCreateResponses];

export type PortalSessionsGetData = {
    body?: never;
    path: {
        session_id: string;
    };
    query?: never;
    url: '/v2alpha1/admin/portalSessions/{session_id}';
};

export type PortalSessionsGetResponses = {
    /**
     * The session.
     */
    200: PortalSession;
};

export type PortalSessionsGetResponse = PortalSessionsGetResponses[keyof PortalSessionsGetResponses];

export type PortalSessionsRevokeData = {
    body?: never;
    path: {
        session_id: string;
    };
    query?: never;
    url: '/v2alpha1/admin/portalSessions/{session_id}:revoke';
};

export type PortalSessionsRevokeResponses = {
    /**
     * The session.
     */
    200: PortalSession;
};

export type PortalSessionsRevokeResponse = PortalSessionsRevokeResponses[keyof PortalSessionsRevokeResponses];

export type KeysRefusalsData = {
    body?: never;
    path: {
        key_id: string;
    };
    query?: never;
    url: '/v2alpha1/admin/apiKeys/{key_id}/refusals';
};

export type KeysRefusalsResponses = {
    /**
     * The refusals.
     */
    200: ListRefusalsResponse;
};

export type KeysRefusalsResponse = KeysRefusalsResponses[keyof KeysRefusalsResponses];

export type KeysRevokeData = {
    body?: RevocationInput;
    path: {
        key_id: string;
    };
    query?: never;
    url: '/v2alpha1/admin/apiKeys/{key_id}:revoke';
};

export type KeysRevokeResponses = {
    /**
     * The key is revoked.
     */
    204: void;
};

export type KeysRevokeResponse = KeysRevokeResponses[keyof KeysRevokeResponses];

export type KeysRevokeIssuedData = {
    body?: RevocationInput;
    path: {
        key_id: string;
    };
    query?: never;
    url: '/v2alpha1/admin/issuedApiKeys/{key_id}:revoke';
};

export type KeysRevokeIssuedResponses = {
    /**
     * The key is revoked.
     */
    204: void;
};

export type KeysRevokeIssuedResponse = KeysRevokeIssuedResponses[keyof KeysRevokeIssuedResponses];

export type ImportedKeysRevokeData = {
    body?: RevocationInput;
    path: {
        key_id: string;
    };
    query?: never;
    url: '/v2alpha1/admin/importedApiKeys/{key_id}:revoke';
};

export type ImportedKeysRevokeResponses = {
    /**
     * The key is revoked.
     */
    204: void;
};

export type ImportedKeysRevokeResponse = ImportedKeysRevokeResponses[keyof ImportedKeysRevokeResponses];

export type TrustRulesRevokeData = {
    body?: RevocationInput;
    path: {
        key_id: string;
    };
    query?: never;
    url: '/v2alpha1/admin/trustRules/{key_id}:revoke';
};

export type TrustRulesRevokeResponses = {
    /**
     * The key is revoked.
     */
    204: void;
};

export type TrustRulesRevokeResponse = TrustRulesRevokeResponses[keyof TrustRulesRevokeResponses];

export type KeysSearchData = {
    body?: never;
    path?: never;
    query: {
        query: string;
        /**
         * Hits of each kind: default 5, at most 20.
         */
        page_size?: number;
    };
    url: '/v2alpha1/admin/search';
};

export type KeysSearchResponses = {
    /**
     * The hits, kind by kind.
     */
    200: SearchResponse;
};

export type KeysSearchResponse = KeysSearchResponses[keyof KeysSearchResponses];

export type TrustRulesListData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Default 50, at most 1000.
         */
        page_size?: number;
        /**
         * The next_page_token of the page before.
         */
        page_token?: string;
        /**
         * Comparisons joined by AND: actor_id, name, status and visibility with =, tags with :, key_preview (issued keys only) with = and a part of a secret such as "…k3Zq", create_time and expire_time with =, < and >. With expire_time, the list is in its order. Between quotes, \" and \\ stand for " and \.
         */
        filter?: string;
    };
    url: '/v2alpha1/admin/trustRules';
};

export type TrustRulesListResponses = {
    /**
     * A page of keys.
     */
    200: ListTrustRulesResponse;
};

export type TrustRulesListResponse = TrustRulesListResponses[keyof TrustRulesListResponses];

export type TrustRulesCreateData = {
    body: CreateTrustRuleRequest;
    path?: never;
    query?: never;
    url: '/v2alpha1/admin/trustRules';
};

export type TrustRulesCreateResponses = {
    /**
     * The trust rule.
     */
    201: TrustRule;
};

export type TrustRulesCreateResponse = TrustRulesCreateResponses[keyof TrustRulesCreateResponses];

export type TrustRulesGetData = {
    body?: never;
    path: {
        key_id: string;
    };
    query?: never;
    url: '/v2alpha1/admin/trustRules/{key_id}';
};

export type TrustRulesGetResponses = {
    /**
     * The key.
     */
    200: TrustRule;
};

export type TrustRulesGetResponse = TrustRulesGetResponses[keyof TrustRulesGetResponses];

export type TrustRulesUpdateData = {
    body: UpdateTrustRuleRequest;
    path: {
        key_id: string;
    };
    query?: {
        /**
         * Fields to change, separated by commas, or *.
         */
        update_mask?: string;
    };
    url: '/v2alpha1/admin/trustRules/{key_id}';
};

export type TrustRulesUpdateResponses = {
    /**
     * The key as it is now.
     */
    200: TrustRule;
};

export type TrustRulesUpdateResponse = TrustRulesUpdateResponses[keyof TrustRulesUpdateResponses];

export type UsageListData = {
    body?: never;
    headers?: {
        /**
         * text/csv for CSV instead of JSON.
         */
        Accept?: string;
    };
    path?: never;
    query?: {
        /**
         * The first time, RFC 3339; by default an hour, a day or 30 days before `to`.
         */
        from?: string;
        /**
         * The time after the last one; now by default.
         */
        to?: string;
        interval?: 'minute' | 'hour' | 'day';
        /**
         * Any of key, actor, tag, outcome and limit, or prefix; separated by commas.
         */
        group_by?: string;
        /**
         * Default 50, at most 5000.
         */
        page_size?: number;
        /**
         * The next_page_token of the page before.
         */
        page_token?: string;
        /**
         * Comparisons with = joined by AND: key_id, actor_id, tag, outcome, limit and prefix.
         */
        filter?: string;
    };
    url: '/v2alpha1/admin/usage';
};

export type UsageListResponses = {
    /**
     * A page of counts, the oldest first. Times without verifications are left out.
     */
    200: ListUsageResponse;
};

export type UsageListResponse = UsageListResponses[keyof UsageListResponses];

export type KeysUsageData = {
    body?: never;
    headers?: {
        /**
         * text/csv for CSV instead of JSON.
         */
        Accept?: string;
    };
    path: {
        key_id: string;
    };
    query?: {
        /**
         * The first time, RFC 3339; by default an hour, a day or 30 days before `to`.
         */
        from?: string;
        /**
         * The time after the last one; now by default.
         */
        to?: string;
        interval?: 'minute' | 'hour' | 'day';
        /**
         * Any of key, actor, tag, outcome and limit, or prefix; separated by commas.
         */
        group_by?: string;
        /**
         * Default 50, at most 5000.
         */
        page_size?: number;
        /**
         * The next_page_token of the page before.
         */
        page_token?: string;
        /**
         * Comparisons with = joined by AND: key_id, actor_id, tag, outcome, limit and prefix.
         */
        filter?: string;
    };
    url: '/v2alpha1/admin/issuedApiKeys/{key_id}/usage';
};

export type KeysUsageResponses = {
    /**
     * A page of counts, the oldest first. Times without verifications are left out.
     */
    200: ListUsageResponse;
};

export type KeysUsageResponse = KeysUsageResponses[keyof KeysUsageResponses];

export type ImportedKeysUsageData = {
    body?: never;
    headers?: {
        /**
         * text/csv for CSV instead of JSON.
         */
        Accept?: string;
    };
    path: {
        key_id: string;
    };
    query?: {
        /**
         * The first time, RFC 3339; by default an hour, a day or 30 days before `to`.
         */
        from?: string;
        /**
         * The time after the last one; now by default.
         */
        to?: string;
        interval?: 'minute' | 'hour' | 'day';
        /**
         * Any of key, actor, tag, outcome and limit, or prefix; separated by commas.
         */
        group_by?: string;
        /**
         * Default 50, at most 5000.
         */
        page_size?: number;
        /**
         * The next_page_token of the page before.
         */
        page_token?: string;
        /**
         * Comparisons with = joined by AND: key_id, actor_id, tag, outcome, limit and prefix.
         */
        filter?: string;
    };
    url: '/v2alpha1/admin/importedApiKeys/{key_id}/usage';
};

export type ImportedKeysUsageResponses = {
    /**
     * A page of counts, the oldest first. Times without verifications are left out.
     */
    200: ListUsageResponse;
};

export type ImportedKeysUsageResponse = ImportedKeysUsageResponses[keyof ImportedKeysUsageResponses];

export type TokensMetadataData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/.well-known/oauth-authorization-server';
};

export type TokensMetadataResponses = {
    /**
     * The metadata. 404 unless ISSUER is an address.
     */
    200: AuthorizationServerMetadata;
};

export type TokensMetadataResponse = TokensMetadataResponses[keyof TokensMetadataResponses];

export type TokensJwksData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v2alpha1/derivedKeys/jwks.json';
};

export type TokensJwksResponses = {
    /**
     * The key set.
     */
    200: PublishedKeys;
};

export type TokensJwksResponse = TokensJwksResponses[keyof TokensJwksResponses];

export type KeysRevokeSelfData = {
    body: SelfRevokeApiKeyRequest;
    path?: never;
    query?: never;
    url: '/v2alpha1/apiKeys:selfRevoke';
};

export type KeysRevokeSelfResponses = {
    /**
     * The key is revoked.
     */
    200: Empty;
};

export type KeysRevokeSelfResponse = KeysRevokeSelfResponses[keyof KeysRevokeSelfResponses];

export type KeysEventsGetData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/v2alpha1/admin/events/{id}';
};

export type KeysEventsGetResponses = {
    /**
     * Done.
     */
    200: KeysEventRecord;
};

export type KeysEventsGetResponse = KeysEventsGetResponses[keyof KeysEventsGetResponses];

export type KeysEventsResendData = {
    body?: EventResend;
    path: {
        id: string;
    };
    query?: never;
    url: '/v2alpha1/admin/events/{id}/resend';
};

export type KeysEventsResendResponses = {
    /**
     * Done.
     */
    200: KeysEventRecord;
};

export type KeysEventsResendResponse = KeysEventsResendResponses[keyof KeysEventsResendResponses];

export type KeysEventsReplayData = {
    body: KeysEventReplay;
    path?: never;
    query?: never;
    url: '/v2alpha1/admin/events/replay';
};

export type KeysEventsReplayResponses = {
    /**
     * Done.
     */
    200: StartedReplays;
};

export type KeysEventsReplayResponse = KeysEventsReplayResponses[keyof KeysEventsReplayResponses];

export type KeysEventsListData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Default 50, at most 1000.
         */
        page_size?: number;
        /**
         * The next_page_token of the page before.
         */
        page_token?: string;
        /**
         * The id of the last event that was read.
         */
        after?: string;
        /**
         * The time at which the list begins (RFC 3339), instead of `after`.
         */
        from_time?: string;
        /**
         * Only events of this type.
         */
        type?: string;
    };
    url: '/v2alpha1/admin/events';
};

export type KeysEventsListResponses = {
    /**
     * Done.
     */
    200: KeysEventList;
};

export type KeysEventsListResponse = KeysEventsListResponses[keyof KeysEventsListResponses];

export type KeysWebhookEndpointsListData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v2alpha1/admin/webhook-endpoints';
};

export type KeysWebhookEndpointsListResponses = {
    /**
     * Done.
     */
    200: KeysWebhookEndpointList;
};

export type KeysWebhookEndpointsListResponse = KeysWebhookEndpointsListResponses[keyof KeysWebhookEndpointsListResponses];

export type KeysWebhookEndpointsCreateData = {
    body: KeysWebhookEndpointInput;
    path?: never;
    query?: never;
    url: '/v2alpha1/admin/webhook-endpoints';
};

export type KeysWebhookEndpointsCreateResponses = {
    /**
     * Done.
     */
    201: KeysWebhookEndpointSecret;
};

export type KeysWebhookEndpointsCreateResponse = KeysWebhookEndpointsCreateResponses[keyof KeysWebhookEndpointsCreateResponses];

export type KeysWebhookEndpointsDeleteData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/v2alpha1/admin/webhook-endpoints/{id}';
};

export type KeysWebhookEndpointsDeleteResponses = {
    /**
     * It receives nothing any more.
     */
    204: void;
};

export type KeysWebhookEndpointsDeleteResponse = KeysWebhookEndpointsDeleteResponses[keyof KeysWebhookEndpointsDeleteResponses];

export type KeysWebhookEndpointsGetData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/v2alpha1/admin/webhook-endpoints/{id}';
};

export type KeysWebhookEndpointsGetResponses = {
    /**
     * Done.
     */
    200: KeysWebhookEndpoint;
};

export type KeysWebhookEndpointsGetResponse = KeysWebhookEndpointsGetResponses[keyof KeysWebhookEndpointsGetResponses];

export type KeysWebhookEndpointsUpdateData = {
    body: KeysWebhookEndpointChanges;
    path: {
        id: string;
    };
    query?: never;
    url: '/v2alpha1/admin/webhook-endpoints/{id}';
};

export type KeysWebhookEndpointsUpdateResponses = {
    /**
     * Done.
     */
    200: KeysWebhookEndpoint;
};

export type KeysWebhookEndpointsUpdateResponse = KeysWebhookEndpointsUpdateResponses[keyof KeysWebhookEndpointsUpdateResponses];

export type KeysWebhookEndpointsRotateSecretData = {
    body?: WebhookSecretRotation;
    path: {
        id: string;
    };
    query?: never;
    url: '/v2alpha1/admin/webhook-endpoints/{id}/rotate-secret';
};

export type KeysWebhookEndpointsRotateSecretResponses = {
    /**
     * Done.
     */
    200: KeysWebhookEndpointSecret;
};

export type KeysWebhookEndpointsRotateSecretResponse = KeysWebhookEndpointsRotateSecretResponses[keyof KeysWebhookEndpointsRotateSecretResponses];

export type KeysWebhookEndpointsPauseData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/v2alpha1/admin/webhook-endpoints/{id}/pause';
};

export type KeysWebhookEndpointsPauseResponses = {
    /**
     * Done.
     */
    200: KeysWebhookEndpoint;
};

export type KeysWebhookEndpointsPauseResponse = KeysWebhookEndpointsPauseResponses[keyof KeysWebhookEndpointsPauseResponses];

export type KeysWebhookEndpointsResumeData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/v2alpha1/admin/webhook-endpoints/{id}/resume';
};

export type KeysWebhookEndpointsResumeResponses = {
    /**
     * Done.
     */
    200: KeysWebhookEndpoint;
};

export type KeysWebhookEndpointsResumeResponse = KeysWebhookEndpointsResumeResponses[keyof KeysWebhookEndpointsResumeResponses];

export type KeysWebhookEndpointsTestData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/v2alpha1/admin/webhook-endpoints/{id}/test';
};

export type KeysWebhookEndpointsTestResponses = {
    /**
     * Done.
     */
    200: WebhookTest;
};

export type KeysWebhookEndpointsTestResponse = KeysWebhookEndpointsTestResponses[keyof KeysWebhookEndpointsTestResponses];

export type KeysWebhookEndpointsStatusData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/v2alpha1/admin/webhook-endpoints/{id}/status';
};

export type KeysWebhookEndpointsStatusResponses = {
    /**
     * Done.
     */
    200: WebhookEndpointStatus;
};

export type KeysWebhookEndpointsStatusResponse = KeysWebhookEndpointsStatusResponses[keyof KeysWebhookEndpointsStatusResponses];

export type KeysWebhookEndpointsAttemptsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * Default 50, at most 1000.
         */
        page_size?: number;
        /**
         * The next_page_token of the page before.
         */
        page_token?: string;
    };
    url: '/v2alpha1/admin/webhook-endpoints/{id}/attempts';
};

export type KeysWebhookEndpointsAttemptsResponses = {
    /**
     * Done.
     */
    200: DeliveryAttemptList;
};

export type KeysWebhookEndpointsAttemptsResponse = KeysWebhookEndpointsAttemptsResponses[keyof KeysWebhookEndpointsAttemptsResponses];

export type KeysWebhookEndpointsParkedEventsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * Default 50, at most 1000.
         */
        page_size?: number;
        /**
         * The next_page_token of the page before.
         */
        page_token?: string;
    };
    url: '/v2alpha1/admin/webhook-endpoints/{id}/parked-events';
};

export type KeysWebhookEndpointsParkedEventsResponses = {
    /**
     * Done.
     */
    200: ParkedEventList;
};

export type KeysWebhookEndpointsParkedEventsResponse = KeysWebhookEndpointsParkedEventsResponses[keyof KeysWebhookEndpointsParkedEventsResponses];

export type TokensExchangeData = {
    body: TokenExchangeRequest;
    path?: never;
    query?: never;
    url: '/oauth/token';
};

export type TokensExchangeResponses = {
    /**
     * The token.
     */
    200: TokenExchangeResponse;
};

export type TokensExchangeResponse = TokensExchangeResponses[keyof TokensExchangeResponses];

export type KeysVerifyData = {
    body: VerifyApiKeyRequest;
    headers?: {
        /**
         * no-cache reads the store, no-store keeps nothing either.
         */
        'Cache-Control'?: string;
        /**
         * no-cache, as Cache-Control: no-cache.
         */
        Pragma?: string;
    };
    path?: never;
    query?: never;
    url: '/v2alpha1/admin/apiKeys:verify';
};

export type KeysVerifyResponses = {
    /**
     * Valid, or why not.
     */
    200: VerifyApiKeyResponse;
};

export type KeysVerifyResponse = KeysVerifyResponses[keyof KeysVerifyResponses];

export type KeysVerifyAllData = {
    body: BatchVerifyApiKeysRequest;
    headers?: {
        /**
         * no-cache reads the store, no-store keeps nothing either.
         */
        'Cache-Control'?: string;
        /**
         * no-cache, as Cache-Control: no-cache.
         */
        Pragma?: string;
    };
    path?: never;
    query?: never;
    url: '/v2alpha1/admin/apiKeys:batchVerify';
};

export type KeysVerifyAllResponses = {
    /**
     * The results, in the order of the requests.
     */
    200: BatchVerifyApiKeysResponse;
};

export type KeysVerifyAllResponse = KeysVerifyAllResponses[keyof KeysVerifyAllResponses];

export type KeysDeriveData = {
    body: DeriveTokenRequest;
    path?: never;
    query?: never;
    url: '/v2alpha1/admin/apiKeys:derive';
};

export type KeysDeriveResponses = {
    /**
     * The token.
     */
    200: DeriveTokenResponse;
};

export type KeysDeriveResponse = KeysDeriveResponses[keyof KeysDeriveResponses];

export type ImportedKeysImportAllData = {
    body: BatchCreateImportedApiKeysRequest;
    path?: never;
    query?: never;
    url: '/v2alpha1/admin/importedApiKeys:batchCreate';
};

export type ImportedKeysImportAllResponses = {
    /**
     * The result for each key; at least one was imported.
     */
    200: BatchCreateImportedApiKeysResponse;
};

export type ImportedKeysImportAllResponse = ImportedKeysImportAllResponses[keyof ImportedKeysImportAllResponses];

export type DirectoriesAuditEventsListData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * At most 1000.
         */
        pageLimit?: number;
        pageOffset?: number;
        type?: string;
        caller?: string;
        targetId?: string;
    };
    url: '/api/v1/dsync/audit-events';
};

export type DirectoriesAuditEventsListResponses = {
    /**
     * Done.
     */
    200: {
        data: Array<DirectoriesAuditEvent>;
        error: Fault | null;
    };
};

export type DirectoriesAuditEventsListResponse = DirectoriesAuditEventsListResponses[keyof DirectoriesAuditEventsListResponses];

export type DirectoriesSearchData = {
    body?: never;
    path?: never;
    query: {
        query: string;
        /**
         * Hits of each kind: default 5, at most 20.
         */
        pageLimit?: number;
    };
    url: '/api/v1/dsync/search';
};

export type DirectoriesSearchResponses = {
    /**
     * Done.
     */
    200: {
        data: SearchResult;
        error: Fault | null;
    };
};

export type DirectoriesSearchResponse = DirectoriesSearchResponses[keyof DirectoriesSearchResponses];

export type DirectoriesUsageData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * All directories by default.
         */
        directoryId?: string;
        /**
         * RFC 3339, rounded down to the hour; by default a day before `to`.
         */
        from?: string;
        /**
         * RFC 3339, rounded up to the hour; now by default.
         */
        to?: string;
    };
    url: '/api/v1/dsync/scim-usage';
};

export type DirectoriesUsageResponses = {
    /**
     * Done.
     */
    200: {
        data: Array<ScimUsage>;
        error: Fault | null;
    };
};

export type DirectoriesUsageResponse = DirectoriesUsageResponses[keyof DirectoriesUsageResponses];

export type DirectoriesUsersListData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * At most 1000.
         */
        pageLimit?: number;
        pageOffset?: number;
        /**
         * Either tenant and product, or directoryId, is required.
         */
        tenant?: string;
        /**
         * Either tenant and product, or directoryId, is required.
         */
        product?: string;
        /**
         * Either tenant and product, or directoryId, is required.
         */
        directoryId?: string;
        /**
         * Only users that have it by the role mapping of their directory.
         */
        role?: string;
        /**
         * Only users of this name, regardless of case; tenant alone suffices.
         */
        userName?: string;
        /**
         * Only users with this e-mail address, regardless of case; tenant alone suffices.
         */
        email?: string;
        /**
         * Only users with this id of the provider; tenant alone suffices.
         */
        external_id?: string;
    };
    url: '/api/v1/dsync/users';
};

export type DirectoriesUsersListResponses = {
    /**
     * Done.
     */
    200: {
        data: Array<User>;
        error: Fault | null;
    };
};

export type DirectoriesUsersListResponse = DirectoriesUsersListResponses[keyof DirectoriesUsersListResponses];

export type DirectoriesUsersGetData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * Either tenant and product, or directoryId, is required.
         */
        tenant?: string;
        /**
         * Either tenant and product, or directoryId, is required.
         */
        product?: string;
        /**
         * Either tenant and product, or directoryId, is required.
         */
        directoryId?: string;
    };
    url: '/api/v1/dsync/users/{id}';
};

export type DirectoriesUsersGetResponses = {
    /**
     * Done.
     */
    200: {
        data: User;
        error: Fault | null;
    };
};

export type DirectoriesUsersGetResponse = DirectoriesUsersGetResponses[keyof DirectoriesUsersGetResponses];

export type DirectoriesGroupsListData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * At most 1000.
         */
        pageLimit?: number;
        pageOffset?: number;
        /**
         * Either tenant and product, or directoryId, is required.
         */
        tenant?: string;
        /**
         * Either tenant and product, or directoryId, is required.
         */
        product?: string;
        /**
         * Either tenant and product, or directoryId, is required.
         */
        directoryId?: string;
    };
    url: '/api/v1/dsync/groups';
};

export type DirectoriesGroupsListResponses = {
    /**
     * Done.
     */
    200: {
        data: Array<Group>;
        error: Fault | null;
    };
};

export type DirectoriesGroupsListResponse = DirectoriesGroupsListResponses[keyof DirectoriesGroupsListResponses];

export type DirectoriesGroupsGetData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * Either tenant and product, or directoryId, is required.
         */
        tenant?: string;
        /**
         * Either tenant and product, or directoryId, is required.
         */
        product?: string;
        /**
         * Either tenant and product, or directoryId, is required.
         */
        directoryId?: string;
        /**
         * False: only the number of members. Default true.
         */
        members?: boolean;
    };
    url: '/api/v1/dsync/groups/{id}';
};

export type DirectoriesGroupsGetResponses = {
    /**
     * Done.
     */
    200: {
        data: Group;
        error: Fault | null;
    };
};

export type DirectoriesGroupsGetResponse = DirectoriesGroupsGetResponses[keyof DirectoriesGroupsGetResponses];

export type DirectoriesGroupsMembersData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * At most 1000.
         */
        pageLimit?: number;
        pageOffset?: number;
        /**
         * Either tenant and product, or directoryId, is required.
         */
        tenant?: string;
        /**
         * Either tenant and product, or directoryId, is required.
         */
        product?: string;
        /**
         * Either tenant and product, or directoryId, is required.
         */
        directoryId?: string;
        /**
         * True: also the groups inside the group. Default false.
         */
        groups?: boolean;
        /**
         * Id of the last member that was read, which costs less than a large pageOffset.
         */
        after?: string;
    };
    url: '/api/v1/dsync/groups/{id}/members';
};

export type DirectoriesGroupsMembersResponses = {
    /**
     * Done.
     */
    200: {
        data: Array<GroupMember>;
        error: Fault | null;
    };
};

export type DirectoriesGroupsMembersResponse = DirectoriesGroupsMembersResponses[keyof DirectoriesGroupsMembersResponses];

export type DirectoriesEventsListData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Without it, the events of all directories.
         */
        directoryId?: string;
        /**
         * Only directories of this tenant.
         */
        tenant?: string;
        /**
         * Only directories of this product.
         */
        product?: string;
        /**
         * At most 1000. A page of large events is shorter.
         */
        limit?: number;
        /**
         * Id of the last event that was read.
         */
        after?: string;
        /**
         * The time at which the list begins (RFC 3339), instead of `after`.
         */
        fromTime?: string;
    };
    url: '/api/v1/dsync/events';
};

export type DirectoriesEventsListResponses = {
    /**
     * Done.
     */
    200: {
        data: Array<DirectoriesEventRecord>;
        error: Fault | null;
    };
};

export type DirectoriesEventsListResponse = DirectoriesEventsListResponses[keyof DirectoriesEventsListResponses];

export type DirectoriesEventsLatestData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/dsync/events/latest';
};

export type DirectoriesEventsLatestResponses = {
    /**
     * Done.
     */
    200: {
        data: EventCursor;
        error: Fault | null;
    };
};

export type DirectoriesEventsLatestResponse = DirectoriesEventsLatestResponses[keyof DirectoriesEventsLatestResponses];

export type DirectoriesEventsProcessData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Seconds to wait for the deliveries.
         */
        wait?: number;
    };
    url: '/api/v1/dsync/cron/process-events';
};

export type DirectoriesEventsProcessResponses = {
    /**
     * Done.
     */
    200: {
        data: Batch;
        error: Fault | null;
    };
};

export type DirectoriesEventsProcessResponse = DirectoriesEventsProcessResponses[keyof DirectoriesEventsProcessResponses];

export type DirectoriesWebhookEndpointsListAllData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * At most 1000.
         */
        pageLimit?: number;
        pageOffset?: number;
        state?: 'healthy' | 'failing' | 'paused' | 'stopped';
        /**
         * Only directories of this tenant.
         */
        tenant?: string;
        /**
         * Only directories of this product.
         */
        product?: string;
    };
    url: '/api/v1/dsync/webhook-endpoints';
};

export type DirectoriesWebhookEndpointsListAllResponses = {
    /**
     * Done.
     */
    200: {
        data: Array<ListedWebhookEndpoint>;
        error: Fault | null;
    };
};

export type DirectoriesWebhookEndpointsListAllResponse = DirectoriesWebhookEndpointsListAllResponses[keyof DirectoriesWebhookEndpointsListAllResponses];

export type DirectoriesWebhookLogsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * At most 1000.
         */
        pageLimit?: number;
        pageOffset?: number;
    };
    url: '/api/v1/dsync/{id}/webhook/logs';
};

export type DirectoriesWebhookLogsResponses = {
    /**
     * Done.
     */
    200: {
        data: Array<WebhookLog>;
        error: Fault | null;
    };
};

export type DirectoriesWebhookLogsResponse = DirectoriesWebhookLogsResponses[keyof DirectoriesWebhookLogsResponses];

export type DirectoriesSyncAllData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/dsync/cron/sync-workspace';
};

export type DirectoriesSyncAllResponses = {
    /**
     * Done.
     */
    200: {
        data: StartedRuns;
        error: Fault | null;
    };
};

export type DirectoriesSyncAllResponse = DirectoriesSyncAllResponses[keyof DirectoriesSyncAllResponses];

export type DirectoriesSyncData = {
    body?: never;
    path: {
        directoryId: string;
    };
    query?: never;
    url: '/api/v1/dsync/{directoryId}/sync';
};

export type DirectoriesSyncResponses = {
    /**
     * Done.
     */
    202: {
        data: Run;
        error: Fault | null;
    };
};

export type DirectoriesSyncResponse = DirectoriesSyncResponses[keyof DirectoriesSyncResponses];

export type DirectoriesRunsListData = {
    body?: never;
    path: {
        directoryId: string;
    };
    query?: {
        /**
         * At most 1000.
         */
        pageLimit?: number;
        pageOffset?: number;
    };
    url: '/api/v1/dsync/{directoryId}/runs';
};

export type DirectoriesRunsListResponses = {
    /**
     * Done.
     */
    200: {
        data: Array<Run>;
        error: Fault | null;
    };
};

export type DirectoriesRunsListResponse = DirectoriesRunsListResponses[keyof DirectoriesRunsListResponses];

export type DirectoriesRunsGetData = {
    body?: never;
    path: {
        directoryId: string;
        runId: string;
    };
    query?: never;
    url: '/api/v1/dsync/{directoryId}/runs/{runId}';
};

export type DirectoriesRunsGetResponses = {
    /**
     * Done.
     */
    200: {
        data: RunDetails;
        error: Fault | null;
    };
};

export type DirectoriesRunsGetResponse = DirectoriesRunsGetResponses[keyof DirectoriesRunsGetResponses];

export type DirectoriesRunsApproveData = {
    body?: never;
    path: {
        directoryId: string;
        runId: string;
    };
    query?: never;
    url: '/api/v1/dsync/{directoryId}/runs/{runId}/approve';
};

export type DirectoriesRunsApproveResponses = {
    /**
     * Done.
     */
    200: {
        data: Run;
        error: Fault | null;
    };
};

export type DirectoriesRunsApproveResponse = DirectoriesRunsApproveResponses[keyof DirectoriesRunsApproveResponses];

export type DirectoriesRunsDiscardData = {
    body?: never;
    path: {
        directoryId: string;
        runId: string;
    };
    query?: never;
    url: '/api/v1/dsync/{directoryId}/runs/{runId}/discard';
};

export type DirectoriesRunsDiscardResponses = {
    /**
     * Done.
     */
    200: {
        data: Run;
        error: Fault | null;
    };
};

export type DirectoriesRunsDiscardResponse = DirectoriesRunsDiscardResponses[keyof DirectoriesRunsDiscardResponses];

export type DirectoriesWorkspaceSettingsGetData = {
    body?: never;
    path: {
        directoryId: string;
    };
    query?: never;
    url: '/api/v1/dsync/{directoryId}/workspace/settings';
};

export type DirectoriesWorkspaceSettingsGetResponses = {
    /**
     * Done.
     */
    200: {
        data: WorkspaceSettings;
        error: Fault | null;
    };
};

export type DirectoriesWorkspaceSettingsGetResponse = DirectoriesWorkspaceSettingsGetResponses[keyof DirectoriesWorkspaceSettingsGetResponses];

export type DirectoriesWorkspaceSettingsUpdateData = {
    body: WorkspaceSettingsChanges;
    path: {
        directoryId: string;
    };
    query?: never;
    url: '/api/v1/dsync/{directoryId}/workspace/settings';
};

export type DirectoriesWorkspaceSettingsUpdateResponses = {
    /**
     * Done.
     */
    200: {
        data: WorkspaceSettings;
        error: Fault | null;
    };
};

export type DirectoriesWorkspaceSettingsUpdateResponse = DirectoriesWorkspaceSettingsUpdateResponses[keyof DirectoriesWorkspaceSettingsUpdateResponses];

export type KeyLinksDeleteData = {
    body?: never;
    path?: never;
    query: {
        tenant: string;
        product: string;
    };
    url: '/api/v1/dsync/key-links';
};

export type KeyLinksDeleteResponses = {
    /**
     * Done.
     */
    200: {
        /**
         * Null.
         */
        data: {
            [key: string]: unknown;
        } | null;
        error: Fault | null;
    };
};

export type KeyLinksDeleteResponse = KeyLinksDeleteResponses[keyof KeyLinksDeleteResponses];

export type KeyLinksListData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * At most 1000.
         */
        pageLimit?: number;
        pageOffset?: number;
        tenant?: string;
        product?: string;
    };
    url: '/api/v1/dsync/key-links';
};

export type KeyLinksListResponses = {
    /**
     * Done.
     */
    200: {
        data: Array<DirectoriesKeyLink>;
        error: Fault | null;
    };
};

export type KeyLinksListResponse = KeyLinksListResponses[keyof KeyLinksListResponses];

export type KeyLinksSetData = {
    body: DirectoriesKeyLinkInput;
    path?: never;
    query?: never;
    url: '/api/v1/dsync/key-links';
};

export type KeyLinksSetResponses = {
    /**
     * Done.
     */
    200: {
        data: DirectoriesKeyLink;
        error: Fault | null;
    };
};

export type KeyLinksSetResponse = KeyLinksSetResponses[keyof KeyLinksSetResponses];

export type DirectoriesGuardGetData = {
    body?: never;
    path: {
        directoryId: string;
    };
    query?: never;
    url: '/api/v1/dsync/{directoryId}/guard';
};

export type DirectoriesGuardGetResponses = {
    /**
     * Done.
     */
    200: {
        data: Guard;
        error: Fault | null;
    };
};

export type DirectoriesGuardGetResponse = DirectoriesGuardGetResponses[keyof DirectoriesGuardGetResponses];

export type DirectoriesGuardUpdateData = {
    body: GuardChanges;
    path: {
        directoryId: string;
    };
    query?: never;
    url: '/api/v1/dsync/{directoryId}/guard';
};

export type DirectoriesGuardUpdateResponses = {
    /**
     * Done.
     */
    200: {
        data: Guard;
        error: Fault | null;
    };
};

export type DirectoriesGuardUpdateResponse = DirectoriesGuardUpdateResponses[keyof DirectoriesGuardUpdateResponses];

export type DirectoriesRoleMappingDeleteData = {
    body?: never;
    path: {
        directoryId: string;
    };
    query?: never;
    url: '/api/v1/dsync/{directoryId}/role-mappings';
};

export type DirectoriesRoleMappingDeleteResponses = {
    /**
     * Done.
     */
    200: {
        /**
         * Null.
         */
        data: {
            [key: string]: unknown;
        } | null;
        error: Fault | null;
    };
};

export type DirectoriesRoleMappingDeleteResponse = DirectoriesRoleMappingDeleteResponses[keyof DirectoriesRoleMappingDeleteResponses];

export type DirectoriesRoleMappingGetData = {
    body?: never;
    path: {
        directoryId: string;
    };
    query?: never;
    url: '/api/v1/dsync/{directoryId}/role-mappings';
};

export type DirectoriesRoleMappingGetResponses = {
    /**
     * Done.
     */
    200: {
        data: RoleMapping;
        error: Fault | null;
    };
};

export type DirectoriesRoleMappingGetResponse = DirectoriesRoleMappingGetResponses[keyof DirectoriesRoleMappingGetResponses];

export type DirectoriesRoleMappingSetData = {
    body: RoleMappingInput;
    path: {
        directoryId: string;
    };
    query?: never;
    url: '/api/v1/dsync/{directoryId}/role-mappings';
};

export type DirectoriesRoleMappingSetResponses = {
    /**
     * Done.
     */
    200: {
        data: RoleMapping;
        error: Fault | null;
    };
};

export type DirectoriesRoleMappingSetResponse = DirectoriesRoleMappingSetResponses[keyof DirectoriesRoleMappingSetResponses];

export type DirectoriesRoleMappingPreviewData = {
    body: RoleMappingInput;
    path: {
        directoryId: string;
    };
    query?: never;
    url: '/api/v1/dsync/{directoryId}/role-mappings:preview';
};

export type DirectoriesRoleMappingPreviewResponses = {
    /**
     * Done.
     */
    200: {
        data: RolePreview;
        error: Fault | null;
    };
};

export type DirectoriesRoleMappingPreviewResponse = DirectoriesRoleMappingPreviewResponses[keyof DirectoriesRoleMappingPreviewResponses];

export type DirectoriesRequestsListData = {
    body?: never;
    path: {
        directoryId: string;
    };
    query?: {
        /**
         * A status such as 409, or a class such as 4xx.
         */
        status?: string;
        method?: string;
        /**
         * The user or group that was named or created.
         */
        resource_id?: string;
        /**
         * Id of the last request that was read.
         */
        after?: string;
        /**
         * Default 50, at most 1000.
         */
        limit?: number;
    };
    url: '/api/v1/dsync/{directoryId}/requests';
};

export type DirectoriesRequestsListResponses = {
    /**
     * Done.
     */
    200: {
        data: Array<ScimRequest>;
        error: Fault | null;
    };
};

export type DirectoriesRequestsListResponse = DirectoriesRequestsListResponses[keyof DirectoriesRequestsListResponses];

export type DirectoriesRequestsStopCaptureData = {
    body?: never;
    path: {
        directoryId: string;
    };
    query?: never;
    url: '/api/v1/dsync/{directoryId}/requests/capture';
};

export type DirectoriesRequestsStopCaptureResponses = {
    /**
     * Done.
     */
    200: {
        /**
         * Null.
         */
        data: {
            [key: string]: unknown;
        } | null;
        error: Fault | null;
    };
};

export type DirectoriesRequestsStopCaptureResponse = DirectoriesRequestsStopCaptureResponses[keyof DirectoriesRequestsStopCaptureResponses];

export type DirectoriesRequestsStartCaptureData = {
    body: CaptureStart;
    path: {
        directoryId: string;
    };
    query?: never;
    url: '/api/v1/dsync/{directoryId}/requests/capture';
};

export type DirectoriesRequestsStartCaptureResponses = {
    /**
     * Done.
     */
    200: {
        data: Capture;
        error: Fault | null;
    };
};

export type DirectoriesRequestsStartCaptureResponse = DirectoriesRequestsStartCaptureResponses[keyof DirectoriesRequestsStartCaptureResponses];

export type DirectoriesRequestsGetData = {
    body?: never;
    path: {
        directoryId: string;
        id: string;
    };
    query?: never;
    url: '/api/v1/dsync/{directoryId}/requests/{id}';
};

export type DirectoriesRequestsGetResponses = {
    /**
     * Done.
     */
    200: {
        data: ScimRequestDetails;
        error: Fault | null;
    };
};

export type DirectoriesRequestsGetResponse = DirectoriesRequestsGetResponses[keyof DirectoriesRequestsGetResponses];

export type DirectoriesScimTokensListData = {
    body?: never;
    path: {
        directoryId: string;
    };
    query?: never;
    url: '/api/v1/dsync/{directoryId}/scim-tokens';
};

export type DirectoriesScimTokensListResponses = {
    /**
     * Done.
     */
    200: {
        data: Array<ScimToken>;
        error: Fault | null;
    };
};

export type DirectoriesScimTokensListResponse = DirectoriesScimTokensListResponses[keyof DirectoriesScimTokensListResponses];

export type DirectoriesScimTokensCreateData = {
    body: ScimTokenInput;
    path: {
        directoryId: string;
    };
    query?: never;
    url: '/api/v1/dsync/{directoryId}/scim-tokens';
};

export type DirectoriesScimTokensCreateResponses = {
    /**
     * Done.
     */
    201: {
        data: ScimTokenSecret;
        error: Fault | null;
    };
};

export type DirectoriesScimTokensCreateResponse = DirectoriesScimTokensCreateResponses[keyof DirectoriesScimTokensCreateResponses];

export type DirectoriesScimTokensDeleteData = {
    body?: never;
    path: {
        directoryId: string;
        id: string;
    };
    query?: never;
    url: '/api/v1/dsync/{directoryId}/scim-tokens/{id}';
};

export type DirectoriesScimTokensDeleteResponses = {
    /**
     * Done.
     */
    200: {
        /**
         * Null.
         */
        data: {
            [key: string]: unknown;
        } | null;
        error: Fault | null;
    };
};

export type DirectoriesScimTokensDeleteResponse = DirectoriesScimTokensDeleteResponses[keyof DirectoriesScimTokensDeleteResponses];

export type DirectoriesScimTokensGetData = {
    body?: never;
    path: {
        directoryId: string;
        id: string;
    };
    query?: never;
    url: '/api/v1/dsync/{directoryId}/scim-tokens/{id}';
};

export type DirectoriesScimTokensGetResponses = {
    /**
     * Done.
     */
    200: {
        data: ScimToken;
        error: Fault | null;
    };
};

export type DirectoriesScimTokensGetResponse = DirectoriesScimTokensGetResponses[keyof DirectoriesScimTokensGetResponses];

export type DirectoriesScimTokensUpdateData = {
    body: ScimTokenChanges;
    path: {
        directoryId: string;
        id: string;
    };
    query?: never;
    url: '/api/v1/dsync/{directoryId}/scim-tokens/{id}';
};

export type DirectoriesScimTokensUpdateResponses = {
    /**
     * Done.
     */
    200: {
        data: ScimToken;
        error: Fault | null;
    };
};

export type DirectoriesScimTokensUpdateResponse = DirectoriesScimTokensUpdateResponses[keyof DirectoriesScimTokensUpdateResponses];

export type DirectoriesScimTokensRotateData = {
    body?: ScimTokenRotation;
    path: {
        directoryId: string;
        id: string;
    };
    query?: never;
    url: '/api/v1/dsync/{directoryId}/scim-tokens/{id}/rotate-secret';
};

export type DirectoriesScimTokensRotateResponses = {
    /**
     * Done.
     */
    200: {
        data: ScimTokenSecret;
        error: Fault | null;
    };
};

export type DirectoriesScimTokensRotateResponse = DirectoriesScimTokensRotateResponses[keyof DirectoriesScimTokensRotateResponses];

export type DirectoriesRetireSecretData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/dsync/{id}/retire-secret';
};

export type DirectoriesRetireSecretResponses = {
    /**
     * Done.
     */
    200: {
        /**
         * Null.
         */
        data: {
            [key: string]: unknown;
        } | null;
        error: Fault | null;
    };
};

export type DirectoriesRetireSecretResponse = DirectoriesRetireSecretResponses[keyof DirectoriesRetireSecretResponses];

export type SetupLinksListData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * At most 1000.
         */
        pageLimit?: number;
        pageOffset?: number;
        directory_id?: string;
    };
    url: '/api/v1/dsync/setup-links';
};

export type SetupLinksListResponses = {
    /**
     * Done.
     */
    200: {
        data: Array<SetupLink>;
        error: Fault | null;
    };
};

export type SetupLinksListResponse = SetupLinksListResponses[keyof SetupLinksListResponses];

export type SetupLinksCreateData = {
    body: SetupLinkInput;
    path?: never;
    query?: never;
    url: '/api/v1/dsync/setup-links';
};

export type SetupLinksCreateResponses = {
    /**
     * Done.
     */
    201: {
        data: CreatedSetupLink;
        error: Fault | null;
    };
};

export type SetupLinksCreateResponse = SetupLinksCreateResponses[keyof SetupLinksCreateResponses];

export type SetupLinksRevokeData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * Whether to delete the SCIM token of the link as well.
         */
        delete_token?: boolean;
    };
    url: '/api/v1/dsync/setup-links/{id}';
};

export type SetupLinksRevokeResponses = {
    /**
     * Done.
     */
    200: {
        data: SetupLink;
        error: Fault | null;
    };
};

export type SetupLinksRevokeResponse = SetupLinksRevokeResponses[keyof SetupLinksRevokeResponses];

export type SetupLinksGetData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/dsync/setup-links/{id}';
};

export type SetupLinksGetResponses = {
    /**
     * Done.
     */
    200: {
        data: SetupLink;
        error: Fault | null;
    };
};

export type SetupLinksGetResponse = SetupLinksGetResponses[keyof SetupLinksGetResponses];

export type SetupLinksEndSessionData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/dsync/setup-links/{id}/end-session';
};

export type SetupLinksEndSessionResponses = {
    /**
     * Done.
     */
    200: {
        data: SetupLink;
        error: Fault | null;
    };
};

export type SetupLinksEndSessionResponse = SetupLinksEndSessionResponses[keyof SetupLinksEndSessionResponses];

export type DirectoriesListData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * At most 1000.
         */
        pageLimit?: number;
        pageOffset?: number;
        product?: string;
        tenant?: string;
        /**
         * Only directories with this among their errors, or healthy or deactivated ones.
         */
        state?: 'needs_authorization' | 'failed' | 'held' | 'unauthorized' | 'stopped' | 'paused' | 'failing' | 'dead' | 'healthy' | 'deactivated';
        /**
         * Only directories with errors, or without.
         */
        has_errors?: boolean;
        /**
         * Active directories with requests.quiet_since, or all without it.
         */
        quiet?: boolean;
        /**
         * False: secrets are empty. Default true.
         */
        secrets?: boolean;
    };
    url: '/api/v1/dsync';
};

export type DirectoriesListResponses = {
    /**
     * Done.
     */
    200: {
        data: Array<ListedDirectory>;
        error: Fault | null;
    };
};

export type DirectoriesListResponse = DirectoriesListResponses[keyof DirectoriesListResponses];

export type DirectoriesCreateData = {
    body: DirectoryInput;
    path?: never;
    query?: never;
    url: '/api/v1/dsync';
};

export type DirectoriesCreateResponses = {
    /**
     * Done.
     */
    201: {
        data: Directory;
        error: Fault | null;
    };
};

export type DirectoriesCreateResponse = DirectoriesCreateResponses[keyof DirectoriesCreateResponses];

export type DirectoriesListOfProductData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * At most 1000.
         */
        pageLimit?: number;
        pageOffset?: number;
        /**
         * Required without provider.
         */
        product?: string;
        /**
         * A type of directory.
         */
        provider?: 'azure-scim-v2' | 'okta-scim-v2' | 'onelogin-scim-v2' | 'jumpcloud-scim-v2' | 'generic-scim-v2' | 'workspace';
        /**
         * Only directories with this among their errors, or healthy or deactivated ones.
         */
        state?: 'needs_authorization' | 'failed' | 'held' | 'unauthorized' | 'stopped' | 'paused' | 'failing' | 'dead' | 'healthy' | 'deactivated';
        /**
         * Only directories with errors, or without.
         */
        has_errors?: boolean;
        /**
         * Active directories with requests.quiet_since, or all without it.
         */
        quiet?: boolean;
        /**
         * False: secrets are empty. Default true.
         */
        secrets?: boolean;
    };
    url: '/api/v1/dsync/product';
};

export type DirectoriesListOfProductResponses = {
    /**
     * Done.
     */
    200: {
        data: Array<ListedDirectory>;
        error: Fault | null;
    };
};

export type DirectoriesListOfProductResponse = DirectoriesListOfProductResponses[keyof DirectoriesListOfProductResponses];

export type DirectoriesDeleteData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/dsync/{id}';
};

export type DirectoriesDeleteResponses = {
    /**
     * Done.
     */
    200: {
        /**
         * Null.
         */
        data: {
            [key: string]: unknown;
        } | null;
        error: Fault | null;
    };
};

export type DirectoriesDeleteResponse = DirectoriesDeleteResponses[keyof DirectoriesDeleteResponses];

export type DirectoriesGetData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * False: secrets are empty. Default true.
         */
        secrets?: boolean;
    };
    url: '/api/v1/dsync/{id}';
};

export type DirectoriesGetResponses = {
    /**
     * Done.
     */
    200: {
        data: Directory;
        error: Fault | null;
    };
};

export type DirectoriesGetResponse = DirectoriesGetResponses[keyof DirectoriesGetResponses];

export type DirectoriesUpdateData = {
    body: DirectoryChanges;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/dsync/{id}';
};

export type DirectoriesUpdateResponses = {
    /**
     * Done.
     */
    200: {
        data: Directory;
        error: Fault | null;
    };
};

export type DirectoriesUpdateResponse = DirectoriesUpdateResponses[keyof DirectoriesUpdateResponses];

export type DirectoriesRotateSecretData = {
    body?: SecretRotation;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/dsync/{id}/rotate-secret';
};

export type DirectoriesRotateSecretResponses = {
    /**
     * Done.
     */
    200: {
        data: Directory;
        error: Fault | null;
    };
};

export type DirectoriesRotateSecretResponse = DirectoriesRotateSecretResponses[keyof DirectoriesRotateSecretResponses];

export type DirectoriesAuthorizationUrlData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/dsync/{id}/workspace/authorization-url';
};

export type DirectoriesAuthorizationUrlResponses = {
    /**
     * Done.
     */
    200: {
        data: AuthorizationUrl;
        error: Fault | null;
    };
};

export type DirectoriesAuthorizationUrlResponse = DirectoriesAuthorizationUrlResponses[keyof DirectoriesAuthorizationUrlResponses];

export type DirectoriesDisconnectData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/dsync/{id}/workspace/connection';
};

export type DirectoriesDisconnectResponses = {
    /**
     * Done.
     */
    200: {
        /**
         * Null.
         */
        data: {
            [key: string]: unknown;
        } | null;
        error: Fault | null;
    };
};

export type DirectoriesDisconnectResponse = DirectoriesDisconnectResponses[keyof DirectoriesDisconnectResponses];

export type DirectoriesStatusData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/dsync/{id}/status';
};

export type DirectoriesStatusResponses = {
    /**
     * Done.
     */
    200: {
        data: DirectoryStatus;
        error: Fault | null;
    };
};

export type DirectoriesStatusResponse = DirectoriesStatusResponses[keyof DirectoriesStatusResponses];

export type DirectoriesEventsGetData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/dsync/events/{id}';
};

export type DirectoriesEventsGetResponses = {
    /**
     * Done.
     */
    200: {
        data: DirectoriesEventRecord;
        /**
         * Null.
         */
        error: {
            [key: string]: unknown;
        } | null;
    };
};

export type DirectoriesEventsGetResponse = DirectoriesEventsGetResponses[keyof DirectoriesEventsGetResponses];

export type DirectoriesEventsResendData = {
    body?: EventResend;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/dsync/events/{id}/resend';
};

export type DirectoriesEventsResendResponses = {
    /**
     * Done.
     */
    200: {
        data: DirectoriesEventRecord;
        /**
         * Null.
         */
        error: {
            [key: string]: unknown;
        } | null;
    };
};

export type DirectoriesEventsResendResponse = DirectoriesEventsResendResponses[keyof DirectoriesEventsResendResponses];

export type DirectoriesEventsReplayData = {
    body: DirectoriesEventReplay;
    path: {
        directoryId: string;
    };
    query?: never;
    url: '/api/v1/dsync/{directoryId}/events/replay';
};

export type DirectoriesEventsReplayResponses = {
    /**
     * Done.
     */
    200: {
        data: StartedReplays;
        /**
         * Null.
         */
        error: {
            [key: string]: unknown;
        } | null;
    };
};

export type DirectoriesEventsReplayResponse = DirectoriesEventsReplayResponses[keyof DirectoriesEventsReplayResponses];

export type DirectoriesEventsReplayAllData = {
    body: DirectoriesEventReplay;
    path?: never;
    query?: never;
    url: '/api/v1/dsync/events/replay';
};

export type DirectoriesEventsReplayAllResponses = {
    /**
     * Done.
     */
    200: {
        data: StartedReplays;
        /**
         * Null.
         */
        error: {
            [key: string]: unknown;
        } | null;
    };
};

export type DirectoriesEventsReplayAllResponse = DirectoriesEventsReplayAllResponses[keyof DirectoriesEventsReplayAllResponses];

export type DirectoriesWebhookEndpointsListData = {
    body?: never;
    path: {
        directoryId: string;
    };
    query?: never;
    url: '/api/v1/dsync/{directoryId}/webhook-endpoints';
};

export type DirectoriesWebhookEndpointsListResponses = {
    /**
     * Done.
     */
    200: {
        data: DirectoriesWebhookEndpointList;
        /**
         * Null.
         */
        error: {
            [key: string]: unknown;
        } | null;
    };
};

export type DirectoriesWebhookEndpointsListResponse = DirectoriesWebhookEndpointsListResponses[keyof DirectoriesWebhookEndpointsListResponses];

export type DirectoriesWebhookEndpointsCreateData = {
    body: DirectoriesWebhookEndpointInput;
    path: {
        directoryId: string;
    };
    query?: never;
    url: '/api/v1/dsync/{directoryId}/webhook-endpoints';
};

export type DirectoriesWebhookEndpointsCreateResponses = {
    /**
     * Done.
     */
    201: {
        data: DirectoriesWebhookEndpointSecret;
        /**
         * Null.
         */
        error: {
            [key: string]: unknown;
        } | null;
    };
};

export type DirectoriesWebhookEndpointsCreateResponse = DirectoriesWebhookEndpointsCreateResponses[keyof DirectoriesWebhookEndpointsCreateResponses];

export type DirectoriesWebhookEndpointsDeleteData = {
    body?: never;
    path: {
        directoryId: string;
        id: string;
    };
    query?: never;
    url: '/api/v1/dsync/{directoryId}/webhook-endpoints/{id}';
};

export type DirectoriesWebhookEndpointsDeleteResponses = {
    /**
     * Done.
     */
    200: {
        /**
         * Null.
         */
        data: {
            [key: string]: unknown;
        } | null;
        /**
         * Null.
         */
        error: {
            [key: string]: unknown;
        } | null;
    };
};

export type DirectoriesWebhookEndpointsDeleteResponse = DirectoriesWebhookEndpointsDeleteResponses[keyof DirectoriesWebhookEndpointsDeleteResponses];

export type DirectoriesWebhookEndpointsGetData = {
    body?: never;
    path: {
        directoryId: string;
        id: string;
    };
    query?: never;
    url: '/api/v1/dsync/{directoryId}/webhook-endpoints/{id}';
};

export type DirectoriesWebhookEndpointsGetResponses = {
    /**
     * Done.
     */
    200: {
        data: DirectoriesWebhookEndpoint;
        /**
         * Null.
         */
        error: {
            [key: string]: unknown;
        } | null;
    };
};

export type DirectoriesWebhookEndpointsGetResponse = DirectoriesWebhookEndpointsGetResponses[keyof DirectoriesWebhookEndpointsGetResponses];

export type DirectoriesWebhookEndpointsUpdateData = {
    body: DirectoriesWebhookEndpointChanges;
    path: {
        directoryId: string;
        id: string;
    };
    query?: never;
    url: '/api/v1/dsync/{directoryId}/webhook-endpoints/{id}';
};

export type DirectoriesWebhookEndpointsUpdateResponses = {
    /**
     * Done.
     */
    200: {
        data: DirectoriesWebhookEndpoint;
        /**
         * Null.
         */
        error: {
            [key: string]: unknown;
        } | null;
    };
};

export type DirectoriesWebhookEndpointsUpdateResponse = DirectoriesWebhookEndpointsUpdateResponses[keyof DirectoriesWebhookEndpointsUpdateResponses];

export type DirectoriesWebhookEndpointsRotateSecretData = {
    body?: WebhookSecretRotation;
    path: {
        directoryId: string;
        id: string;
    };
    query?: never;
    url: '/api/v1/dsync/{directoryId}/webhook-endpoints/{id}/rotate-secret';
};

export type DirectoriesWebhookEndpointsRotateSecretResponses = {
    /**
     * Done.
     */
    200: {
        data: DirectoriesWebhookEndpointSecret;
        /**
         * Null.
         */
        error: {
            [key: string]: unknown;
        } | null;
    };
};

export type DirectoriesWebhookEndpointsRotateSecretResponse = DirectoriesWebhookEndpointsRotateSecretResponses[keyof DirectoriesWebhookEndpointsRotateSecretResponses];

export type DirectoriesWebhookEndpointsPauseData = {
    body?: never;
    path: {
        directoryId: string;
        id: string;
    };
    query?: never;
    url: '/api/v1/dsync/{directoryId}/webhook-endpoints/{id}/pause';
};

export type DirectoriesWebhookEndpointsPauseResponses = {
    /**
     * Done.
     */
    200: {
        data: DirectoriesWebhookEndpoint;
        /**
         * Null.
         */
        error: {
            [key: string]: unknown;
        } | null;
    };
};

export type DirectoriesWebhookEndpointsPauseResponse = DirectoriesWebhookEndpointsPauseResponses[keyof DirectoriesWebhookEndpointsPauseResponses];

export type DirectoriesWebhookEndpointsResumeData = {
    body?: never;
    path: {
        directoryId: string;
        id: string;
    };
    query?: never;
    url: '/api/v1/dsync/{directoryId}/webhook-endpoints/{id}/resume';
};

export type DirectoriesWebhookEndpointsResumeResponses = {
    /**
     * Done.
     */
    200: {
        data: DirectoriesWebhookEndpoint;
        /**
         * Null.
         */
        error: {
            [key: string]: unknown;
        } | null;
    };
};

export type DirectoriesWebhookEndpointsResumeResponse = DirectoriesWebhookEndpointsResumeResponses[keyof DirectoriesWebhookEndpointsResumeResponses];

export type DirectoriesWebhookEndpointsTestData = {
    body?: never;
    path: {
        directoryId: string;
        id: string;
    };
    query?: never;
    url: '/api/v1/dsync/{directoryId}/webhook-endpoints/{id}/test';
};

export type DirectoriesWebhookEndpointsTestResponses = {
    /**
     * Done.
     */
    200: {
        data: WebhookTest;
        /**
         * Null.
         */
        error: {
            [key: string]: unknown;
        } | null;
    };
};

export type DirectoriesWebhookEndpointsTestResponse = DirectoriesWebhookEndpointsTestResponses[keyof DirectoriesWebhookEndpointsTestResponses];

export type DirectoriesWebhookEndpointsStatusData = {
    body?: never;
    path: {
        directoryId: string;
        id: string;
    };
    query?: never;
    url: '/api/v1/dsync/{directoryId}/webhook-endpoints/{id}/status';
};

export type DirectoriesWebhookEndpointsStatusResponses = {
    /**
     * Done.
     */
    200: {
        data: WebhookEndpointStatus;
        /**
         * Null.
         */
        error: {
            [key: string]: unknown;
        } | null;
    };
};

export type DirectoriesWebhookEndpointsStatusResponse = DirectoriesWebhookEndpointsStatusResponses[keyof DirectoriesWebhookEndpointsStatusResponses];

export type DirectoriesWebhookEndpointsAttemptsData = {
    body?: never;
    path: {
        directoryId: string;
        id: string;
    };
    query?: {
        /**
         * Default 50, at most 1000.
         */
        page_size?: number;
        /**
         * The next_page_token of the page before.
         */
        page_token?: string;
    };
    url: '/api/v1/dsync/{directoryId}/webhook-endpoints/{id}/attempts';
};

export type DirectoriesWebhookEndpointsAttemptsResponses = {
    /**
     * Done.
     */
    200: {
        data: DeliveryAttemptList;
        /**
         * Null.
         */
        error: {
            [key: string]: unknown;
        } | null;
    };
};

export type DirectoriesWebhookEndpointsAttemptsResponse = DirectoriesWebhookEndpointsAttemptsResponses[keyof DirectoriesWebhookEndpointsAttemptsResponses];

export type DirectoriesWebhookEndpointsParkedEventsData = {
    body?: never;
    path: {
        directoryId: string;
        id: string;
    };
    query?: {
        /**
         * Default 50, at most 1000.
         */
        page_size?: number;
        /**
         * The next_page_token of the page before.
         */
        page_token?: string;
    };
    url: '/api/v1/dsync/{directoryId}/webhook-endpoints/{id}/parked-events';
};

export type DirectoriesWebhookEndpointsParkedEventsResponses = {
    /**
     * Done.
     */
    200: {
        data: ParkedEventList;
        /**
         * Null.
         */
        error: {
            [key: string]: unknown;
        } | null;
    };
};

export type DirectoriesWebhookEndpointsParkedEventsResponse = DirectoriesWebhookEndpointsParkedEventsResponses[keyof DirectoriesWebhookEndpointsParkedEventsResponses];

export type ScimUsersListData = {
    body?: never;
    path: {
        directoryId: string;
    };
    query?: {
        filter?: string;
        sortBy?: string;
        sortOrder?: string;
        startIndex?: number;
        count?: number;
        cursor?: string;
        attributes?: string;
        excludedAttributes?: string;
    };
    url: '/api/scim/v2.0/{directoryId}/Users';
};

export type ScimUsersListResponses = {
    /**
     * Done.
     */
    200: ScimUserList;
};

export type ScimUsersListResponse = ScimUsersListResponses[keyof ScimUsersListResponses];

export type ScimUsersCreateData = {
    body: ScimUserBody;
    path: {
        directoryId: string;
    };
    query?: {
        attributes?: string;
        excludedAttributes?: string;
    };
    url: '/api/scim/v2.0/{directoryId}/Users';
};

export type ScimUsersCreateResponses = {
    /**
     * Done.
     */
    201: ScimUser;
};

export type ScimUsersCreateResponse = ScimUsersCreateResponses[keyof ScimUsersCreateResponses];

export type ScimUsersDeleteData = {
    body?: never;
    headers?: {
        'If-Match'?: string;
    };
    path: {
        directoryId: string;
        id: string;
    };
    query?: never;
    url: '/api/scim/v2.0/{directoryId}/Users/{id}';
};

export type ScimUsersDeleteResponses = {
    /**
     * Done.
     */
    204: void;
};

export type ScimUsersDeleteResponse = ScimUsersDeleteResponses[keyof ScimUsersDeleteResponses];

export type ScimUsersGetData = {
    body?: never;
    headers?: {
        'If-None-Match'?: string;
    };
    path: {
        directoryId: string;
        id: string;
    };
    query?: {
        attributes?: string;
        excludedAttributes?: string;
    };
    url: '/api/scim/v2.0/{directoryId}/Users/{id}';
};

export type ScimUsersGetResponses = {
    /**
     * Done.
     */
    200: ScimUser;
};

export type ScimUsersGetResponse = ScimUsersGetResponses[keyof ScimUsersGetResponses];

export type ScimUsersPatchData = {
    body: ScimPatch;
    headers?: {
        'If-Match'?: string;
        /**
         * `return=minimal`: 204 without the resource.
         */
        Prefer?: string;
    };
    path: {
        directoryId: string;
        id: string;
    };
    query?: {
        attributes?: string;
        excludedAttributes?: string;
    };
    url: '/api/scim/v2.0/{directoryId}/Users/{id}';
};

export type ScimUsersPatchResponses = {
    /**
     * Done.
     */
    200: ScimUser;
    /**
     * Done, and as asked, or because the group is large, without the group.
     */
    204: void;
};

export type ScimUsersPatchResponse = ScimUsersPatchResponses[keyof ScimUsersPatchResponses];

export type ScimUsersReplaceData = {
    body: ScimUserBody;
    headers?: {
        'If-Match'?: string;
    };
    path: {
        directoryId: string;
        id: string;
    };
    query?: {
        attributes?: string;
        excludedAttributes?: string;
    };
    url: '/api/scim/v2.0/{directoryId}/Users/{id}';
};

export type ScimUsersReplaceResponses = {
    /**
     * Done.
     */
    200: ScimUser;
};

export type ScimUsersReplaceResponse = ScimUsersReplaceResponses[keyof ScimUsersReplaceResponses];

export type ScimUsersSearchData = {
    body: ScimSearch;
    path: {
        directoryId: string;
    };
    query?: never;
    url: '/api/scim/v2.0/{directoryId}/Users/.search';
};

export type ScimUsersSearchResponses = {
    /**
     * Done.
     */
    200: ScimUserList;
};

export type ScimUsersSearchResponse = ScimUsersSearchResponses[keyof ScimUsersSearchResponses];

export type ScimGroupsListData = {
    body?: never;
    path: {
        directoryId: string;
    };
    query?: {
        filter?: string;
        sortBy?: string;
        sortOrder?: string;
        startIndex?: number;
        count?: number;
        cursor?: string;
        attributes?: string;
        excludedAttributes?: string;
    };
    url: '/api/scim/v2.0/{directoryId}/Groups';
};

export type ScimGroupsListResponses = {
    /**
     * Done.
     */
    200: ScimGroupList;
};

export type ScimGroupsListResponse = ScimGroupsListResponses[keyof ScimGroupsListResponses];

export type ScimGroupsCreateData = {
    body: ScimGroupBody;
    path: {
        directoryId: string;
    };
    query?: {
        attributes?: string;
        excludedAttributes?: string;
    };
    url: '/api/scim/v2.0/{directoryId}/Groups';
};

export type ScimGroupsCreateResponses = {
    /**
     * Done.
     */
    201: ScimGroup;
};

export type ScimGroupsCreateResponse = ScimGroupsCreateResponses[keyof ScimGroupsCreateResponses];

export type ScimGroupsDeleteData = {
    body?: never;
    headers?: {
        'If-Match'?: string;
    };
    path: {
        directoryId: string;
        id: string;
    };
    query?: never;
    url: '/api/scim/v2.0/{directoryId}/Groups/{id}';
};

export type ScimGroupsDeleteResponses = {
    /**
     * Done.
     */
    204: void;
};

export type ScimGroupsDeleteResponse = ScimGroupsDeleteResponses[keyof ScimGroupsDeleteResponses];

export type ScimGroupsGetData = {
    body?: never;
    headers?: {
        'If-None-Match'?: string;
    };
    path: {
        directoryId: string;
        id: string;
    };
    query?: {
        attributes?: string;
        excludedAttributes?: string;
    };
    url: '/api/scim/v2.0/{directoryId}/Groups/{id}';
};

export type ScimGroupsGetResponses = {
    /**
     * Done.
     */
    200: ScimGroup;
};

export type ScimGroupsGetResponse = ScimGroupsGetResponses[keyof ScimGroupsGetResponses];

export type ScimGroupsPatchData = {
    body: ScimPatch;
    headers?: {
        'If-Match'?: string;
        /**
         * `return=minimal`: 204 without the resource.
         */
        Prefer?: string;
    };
    path: {
        directoryId: string;
        id: string;
    };
    query?: {
        attributes?: string;
        excludedAttributes?: string;
    };
    url: '/api/scim/v2.0/{directoryId}/Groups/{id}';
};

export type ScimGroupsPatchResponses = {
    /**
     * Done.
     */
    200: ScimGroup;
    /**
     * Done, and as asked, or because the group is large, without the group.
     */
    204: void;
};

export type ScimGroupsPatchResponse = ScimGroupsPatchResponses[keyof ScimGroupsPatchResponses];

export type ScimGroupsReplaceData = {
    body: ScimGroupBody;
    headers?: {
        'If-Match'?: string;
    };
    path: {
        directoryId: string;
        id: string;
    };
    query?: {
        attributes?: string;
        excludedAttributes?: string;
    };
    url: '/api/scim/v2.0/{directoryId}/Groups/{id}';
};

export type ScimGroupsReplaceResponses = {
    /**
     * Done.
     */
    200: ScimGroup;
};

export type ScimGroupsReplaceResponse = ScimGroupsReplaceResponses[keyof ScimGroupsReplaceResponses];

export type ScimGroupsSearchData = {
    body: ScimSearch;
    path: {
        directoryId: string;
    };
    query?: never;
    url: '/api/scim/v2.0/{directoryId}/Groups/.search';
};

export type ScimGroupsSearchResponses = {
    /**
     * Done.
     */
    200: ScimGroupList;
};

export type ScimGroupsSearchResponse = ScimGroupsSearchResponses[keyof ScimGroupsSearchResponses];

export type ScimResourcesListData = {
    body?: never;
    path: {
        directoryId: string;
    };
    query?: {
        filter?: string;
        sortBy?: string;
        sortOrder?: string;
        startIndex?: number;
        count?: number;
        cursor?: string;
        attributes?: string;
        excludedAttributes?: string;
    };
    url: '/api/scim/v2.0/{directoryId}';
};

export type ScimResourcesListResponses = {
    /**
     * Done.
     */
    200: ScimResourceList;
};

export type ScimResourcesListResponse = ScimResourcesListResponses[keyof ScimResourcesListResponses];

export type ScimResourcesSearchData = {
    body: ScimSearch;
    path: {
        directoryId: string;
    };
    query?: never;
    url: '/api/scim/v2.0/{directoryId}/.search';
};

export type ScimResourcesSearchResponses = {
    /**
     * Done.
     */
    200: ScimResourceList;
};

export type ScimResourcesSearchResponse = ScimResourcesSearchResponses[keyof ScimResourcesSearchResponses];

export type ScimBulkData = {
    body: ScimBulk;
    path: {
        directoryId: string;
    };
    query?: never;
    url: '/api/scim/v2.0/{directoryId}/Bulk';
};

export type ScimBulkResponses = {
    /**
     * Done.
     */
    200: ScimBulkAnswer;
};

export type ScimBulkResponse = ScimBulkResponses[keyof ScimBulkResponses];

export type ScimServiceProviderConfigData = {
    body?: never;
    path: {
        directoryId: string;
    };
    query?: never;
    url: '/api/scim/v2.0/{directoryId}/ServiceProviderConfig';
};

export type ScimServiceProviderConfigResponses = {
    /**
     * Done.
     */
    200: ScimProviderConfig;
};

export type ScimServiceProviderConfigResponse = ScimServiceProviderConfigResponses[keyof ScimServiceProviderConfigResponses];

export type ScimResourceTypesListData = {
    body?: never;
    path: {
        directoryId: string;
    };
    query?: never;
    url: '/api/scim/v2.0/{directoryId}/ResourceTypes';
};

export type ScimResourceTypesListResponses = {
    /**
     * Done.
     */
    200: ScimResourceTypeList;
};

export type ScimResourceTypesListResponse = ScimResourceTypesListResponses[keyof ScimResourceTypesListResponses];

export type ScimResourceTypesGetData = {
    body?: never;
    path: {
        directoryId: string;
        id: string;
    };
    query?: never;
    url: '/api/scim/v2.0/{directoryId}/ResourceTypes/{id}';
};

export type ScimResourceTypesGetResponses = {
    /**
     * Done.
     */
    200: ScimResourceType;
};

export type ScimResourceTypesGetResponse = ScimResourceTypesGetResponses[keyof ScimResourceTypesGetResponses];

export type ScimSchemasListData = {
    body?: never;
    path: {
        directoryId: string;
    };
    query?: never;
    url: '/api/scim/v2.0/{directoryId}/Schemas';
};

export type ScimSchemasListResponses = {
    /**
     * Done.
     */
    200: ScimSchemaList;
};

export type ScimSchemasListResponse = ScimSchemasListResponses[keyof ScimSchemasListResponses];

export type ScimSchemasGetData = {
    body?: never;
    path: {
        directoryId: string;
        id: string;
    };
    query?: never;
    url: '/api/scim/v2.0/{directoryId}/Schemas/{id}';
};

export type ScimSchemasGetResponses = {
    /**
     * Done.
     */
    200: ScimSchema;
};

export type ScimSchemasGetResponse = ScimSchemasGetResponses[keyof ScimSchemasGetResponses];

export type IdentitiesEventsGetData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/v1/events/{id}';
};

export type IdentitiesEventsGetResponses = {
    /**
     * Done.
     */
    200: FormsEventRecord;
};

export type IdentitiesEventsGetResponse = IdentitiesEventsGetResponses[keyof IdentitiesEventsGetResponses];

export type IdentitiesEventsResendData = {
    body?: EventResend;
    path: {
        id: string;
    };
    query?: never;
    url: '/v1/events/{id}/resend';
};

export type IdentitiesEventsResendResponses = {
    /**
     * Done.
     */
    200: FormsEventRecord;
};

export type IdentitiesEventsResendResponse = IdentitiesEventsResendResponses[keyof IdentitiesEventsResendResponses];

export type IdentitiesEventsReplayData = {
    body: FormsEventReplay;
    path?: never;
    query?: never;
    url: '/v1/events/replay';
};

export type IdentitiesEventsReplayResponses = {
    /**
     * Done.
     */
    200: StartedReplays;
};

export type IdentitiesEventsReplayResponse = IdentitiesEventsReplayResponses[keyof IdentitiesEventsReplayResponses];

export type IdentitiesEventsListData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Default 50, at most 1000.
         */
        page_size?: number;
        /**
         * The next_page_token of the page before.
         */
        page_token?: string;
        /**
         * The id of the last event that was read.
         */
        after?: string;
        /**
         * The time at which the list begins (RFC 3339), instead of `after`.
         */
        from_time?: string;
        /**
         * Only events of this type.
         */
        type?: string;
    };
    url: '/v1/events';
};

export type IdentitiesEventsListResponses = {
    /**
     * Done.
     */
    200: FormsEventList;
};

export type IdentitiesEventsListResponse = IdentitiesEventsListResponses[keyof IdentitiesEventsListResponses];

export type IdentitiesWebhookEndpointsListData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v1/webhook-endpoints';
};

export type IdentitiesWebhookEndpointsListResponses = {
    /**
     * Done.
     */
    200: FormsWebhookEndpointList;
};

export type IdentitiesWebhookEndpointsListResponse = IdentitiesWebhookEndpointsListResponses[keyof IdentitiesWebhookEndpointsListResponses];

export type IdentitiesWebhookEndpointsCreateData = {
    body: FormsWebhookEndpointInput;
    path?: never;
    query?: never;
    url: '/v1/webhook-endpoints';
};

export type IdentitiesWebhookEndpointsCreateResponses = {
    /**
     * Done.
     */
    201: FormsWebhookEndpointSecret;
};

export type IdentitiesWebhookEndpointsCreateResponse = IdentitiesWebhookEndpointsCreateResponses[keyof IdentitiesWebhookEndpointsCreateResponses];

export type IdentitiesWebhookEndpointsDeleteData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/v1/webhook-endpoints/{id}';
};

export type IdentitiesWebhookEndpointsDeleteResponses = {
    /**
     * It receives nothing any more.
     */
    204: void;
};

export type IdentitiesWebhookEndpointsDeleteResponse = IdentitiesWebhookEndpointsDeleteResponses[keyof IdentitiesWebhookEndpointsDeleteResponses];

export type IdentitiesWebhookEndpointsGetData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/v1/webhook-endpoints/{id}';
};

export type IdentitiesWebhookEndpointsGetResponses = {
    /**
     * Done.
     */
    200: FormsWebhookEndpoint;
};

export type IdentitiesWebhookEndpointsGetResponse = IdentitiesWebhookEndpointsGetResponses[keyof IdentitiesWebhookEndpointsGetResponses];

export type IdentitiesWebhookEndpointsUpdateData = {
    body: FormsWebhookEndpointChanges;
    path: {
        id: string;
    };
    query?: never;
    url: '/v1/webhook-endpoints/{id}';
};

export type IdentitiesWebhookEndpointsUpdateResponses = {
    /**
     * Done.
     */
    200: FormsWebhookEndpoint;
};

export type IdentitiesWebhookEndpointsUpdateResponse = IdentitiesWebhookEndpointsUpdateResponses[keyof IdentitiesWebhookEndpointsUpdateResponses];

export type IdentitiesWebhookEndpointsRotateSecretData = {
    body?: WebhookSecretRotation;
    path: {
        id: string;
    };
    query?: never;
    url: '/v1/webhook-endpoints/{id}/rotate-secret';
};

export type IdentitiesWebhookEndpointsRotateSecretResponses = {
    /**
     * Done.
     */
    200: FormsWebhookEndpointSecret;
};

export type IdentitiesWebhookEndpointsRotateSecretResponse = IdentitiesWebhookEndpointsRotateSecretResponses[keyof IdentitiesWebhookEndpointsRotateSecretResponses];

export type IdentitiesWebhookEndpointsPauseData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/v1/webhook-endpoints/{id}/pause';
};

export type IdentitiesWebhookEndpointsPauseResponses = {
    /**
     * Done.
     */
    200: FormsWebhookEndpoint;
};

export type IdentitiesWebhookEndpointsPauseResponse = IdentitiesWebhookEndpointsPauseResponses[keyof IdentitiesWebhookEndpointsPauseResponses];

export type IdentitiesWebhookEndpointsResumeData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/v1/webhook-endpoints/{id}/resume';
};

export type IdentitiesWebhookEndpointsResumeResponses = {
    /**
     * Done.
     */
    200: FormsWebhookEndpoint;
};

export type IdentitiesWebhookEndpointsResumeResponse = IdentitiesWebhookEndpointsResumeResponses[keyof IdentitiesWebhookEndpointsResumeResponses];

export type IdentitiesWebhookEndpointsTestData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/v1/webhook-endpoints/{id}/test';
};

export type IdentitiesWebhookEndpointsTestResponses = {
    /**
     * Done.
     */
    200: WebhookTest;
};

export type IdentitiesWebhookEndpointsTestResponse = IdentitiesWebhookEndpointsTestResponses[keyof IdentitiesWebhookEndpointsTestResponses];

export type IdentitiesWebhookEndpointsStatusData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/v1/webhook-endpoints/{id}/status';
};

export type IdentitiesWebhookEndpointsStatusResponses = {
    /**
     * Done.
     */
    200: WebhookEndpointStatus;
};

export type IdentitiesWebhookEndpointsStatusResponse = IdentitiesWebhookEndpointsStatusResponses[keyof IdentitiesWebhookEndpointsStatusResponses];

export type IdentitiesWebhookEndpointsAttemptsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * Default 50, at most 1000.
         */
        page_size?: number;
        /**
         * The next_page_token of the page before.
         */
        page_token?: string;
    };
    url: '/v1/webhook-endpoints/{id}/attempts';
};

export type IdentitiesWebhookEndpointsAttemptsResponses = {
    /**
     * Done.
     */
    200: DeliveryAttemptList;
};

export type IdentitiesWebhookEndpointsAttemptsResponse = IdentitiesWebhookEndpointsAttemptsResponses[keyof IdentitiesWebhookEndpointsAttemptsResponses];

export type IdentitiesWebhookEndpointsParkedEventsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * Default 50, at most 1000.
         */
        page_size?: number;
        /**
         * The next_page_token of the page before.
         */
        page_token?: string;
    };
    url: '/v1/webhook-endpoints/{id}/parked-events';
};

export type IdentitiesWebhookEndpointsParkedEventsResponses = {
    /**
     * Done.
     */
    200: ParkedEventList;
};

export type IdentitiesWebhookEndpointsParkedEventsResponse = IdentitiesWebhookEndpointsParkedEventsResponses[keyof IdentitiesWebhookEndpointsParkedEventsResponses];

export type SchemasListData = {
    body?: never;
    headers?: {
        /**
         * ETags of versions that the client has.
         */
        'If-None-Match'?: string;
    };
    path?: never;
    query?: {
        page_token?: string;
        /**
         * Default 50, at most 1000.
         */
        page_size?: number;
    };
    url: '/v1/schemas';
};

export type SchemasListResponses = {
    200: SchemaListResponse;
};

export type SchemasListResponse = SchemasListResponses[keyof SchemasListResponses];

export type SchemasRegisterData = {
    body: SchemaInput;
    path?: never;
    query?: never;
    url: '/v1/schemas';
};

export type SchemasRegisterResponses = {
    201: WrittenSchemaResponse;
};

export type SchemasRegisterResponse = SchemasRegisterResponses[keyof SchemasRegisterResponses];

export type SchemasGetData = {
    body?: never;
    headers?: {
        /**
         * ETags of versions that the client has.
         */
        'If-None-Match'?: string;
    };
    path: {
        id: string;
    };
    query?: {
        version?: number;
    };
    url: '/v1/schemas/{id}';
};

export type SchemasGetResponses = {
    200: SchemaResponse;
};

export type SchemasGetResponse = SchemasGetResponses[keyof SchemasGetResponses];

export type SchemasPutData = {
    body: SchemaVersionInput;
    path: {
        id: string;
    };
    query?: never;
    url: '/v1/schemas/{id}';
};

export type SchemasPutResponses = {
    200: WrittenSchemaResponse;
};

export type SchemasPutResponse = SchemasPutResponses[keyof SchemasPutResponses];

export type IdentitiesListData = {
    body?: never;
    path?: never;
    query?: {
        page_token?: string;
        /**
         * Default 50, at most 1000.
         */
        page_size?: number;
        schema_id?: string;
        /**
         * An identifier, compared as on writing: letter case does not count.
         */
        identifier?: string;
        /**
         * An identifier in one property, such as `trait.email`, with `schema_id`.
         */
        'trait.<path>'?: string;
    };
    url: '/v1/identities';
};

export type IdentitiesListResponses = {
    200: IdentityListResponse;
};

export type IdentitiesListResponse = IdentitiesListResponses[keyof IdentitiesListResponses];

export type IdentitiesCreateData = {
    body: IdentityInput;
    path?: never;
    query?: never;
    url: '/v1/identities';
};

export type IdentitiesCreateResponses = {
    201: IdentityResponse;
};

export type IdentitiesCreateResponse = IdentitiesCreateResponses[keyof IdentitiesCreateResponses];

export type IdentitiesDeleteData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/v1/identities/{id}';
};

export type IdentitiesDeleteResponses = {
    204: void;
};

export type IdentitiesDeleteResponse = IdentitiesDeleteResponses[keyof IdentitiesDeleteResponses];

export type IdentitiesGetData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/v1/identities/{id}';
};

export type IdentitiesGetResponses = {
    200: IdentityResponse;
};

export type IdentitiesGetResponse = IdentitiesGetResponses[keyof IdentitiesGetResponses];

export type IdentitiesUpdateData = {
    body: IdentityChanges;
    path: {
        id: string;
    };
    query?: never;
    url: '/v1/identities/{id}';
};

export type IdentitiesUpdateResponses = {
    200: IdentityResponse;
};

export type IdentitiesUpdateResponse = IdentitiesUpdateResponses[keyof IdentitiesUpdateResponses];

export type IdentitiesKeyLinkDeleteData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v1/key-link';
};

export type IdentitiesKeyLinkDeleteResponses = {
    204: void;
};

export type IdentitiesKeyLinkDeleteResponse = IdentitiesKeyLinkDeleteResponses[keyof IdentitiesKeyLinkDeleteResponses];

export type IdentitiesKeyLinkGetData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v1/key-link';
};

export type IdentitiesKeyLinkGetResponses = {
    200: FormsKeyLink;
};

export type IdentitiesKeyLinkGetResponse = IdentitiesKeyLinkGetResponses[keyof IdentitiesKeyLinkGetResponses];

export type IdentitiesKeyLinkSetData = {
    body: FormsKeyLinkInput;
    path?: never;
    query?: never;
    url: '/v1/key-link';
};

export type IdentitiesKeyLinkSetResponses = {
    200: FormsKeyLink;
};

export type IdentitiesKeyLinkSetResponse = IdentitiesKeyLinkSetResponses[keyof IdentitiesKeyLinkSetResponses];

export type FormsStartData = {
    body: FlowInput;
    path?: never;
    query?: never;
    url: '/v1/flows';
};

export type FormsStartResponses = {
    201: StartedFlowResponse;
};

export type FormsStartResponse = FormsStartResponses[keyof FormsStartResponses];

export type FormsFlowData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/v1/flows/{id}';
};

export type FormsFlowResponses = {
    200: FlowResponse;
};

export type FormsFlowResponse = FormsFlowResponses[keyof FormsFlowResponses];

export type SchemasFormData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        version?: number;
    };
    url: '/v1/schemas/{id}/form';
};

export type SchemasFormResponses = {
    /**
     * The empty form.
     */
    200: FormView;
};

export type SchemasFormResponse = SchemasFormResponses[keyof SchemasFormResponses];

export type SchemasPreviewData = {
    body: SchemaPreviewInput;
    path?: never;
    query?: never;
    url: '/v1/schema-preview';
};

export type SchemasPreviewResponses = {
    200: SchemaPreview;
};

export type SchemasPreviewResponse = SchemasPreviewResponses[keyof SchemasPreviewResponses];

export type IdentitiesSearchData = {
    body?: never;
    path?: never;
    query: {
        query: string;
        /**
         * The most hits of each kind. Default 5, at most 20.
         */
        page_size?: number;
    };
    url: '/v1/search';
};

export type IdentitiesSearchResponses = {
    200: SearchHits;
};

export type IdentitiesSearchResponse = IdentitiesSearchResponses[keyof IdentitiesSearchResponses];

export type IdentitiesAuditEventsListData = {
    body?: never;
    path?: never;
    query?: {
        page_token?: string;
        /**
         * Default 50, at most 1000.
         */
        page_size?: number;
        type?: string;
        caller?: string;
        target_id?: string;
    };
    url: '/v1/audit-events';
};

export type IdentitiesAuditEventsListResponses = {
    200: AuditEventListResponse;
};

export type IdentitiesAuditEventsListResponse = IdentitiesAuditEventsListResponses[keyof IdentitiesAuditEventsListResponses];

export type FormsDecodeData = {
    body: {
        [key: string]: unknown;
    };
    headers?: {
        'Accept-Language'?: string;
    };
    path: {
        id: string;
    };
    query?: {
        version?: number;
        validate?: boolean;
        useDefaults?: boolean;
        emptyNullable?: 'null' | 'missing';
        /**
         * An identity, whose stored traits lie under the decoded ones.
         */
        merge?: string;
    };
    url: '/v1/schemas/{id}/decode';
};

export type FormsDecodeResponses = {
    /**
     * Typed traits.
     */
    200: Decoded;
};

export type FormsDecodeResponse = FormsDecodeResponses[keyof FormsDecodeResponses];
