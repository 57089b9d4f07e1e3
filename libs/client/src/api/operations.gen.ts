// Generated from the API descriptions: UPDATE_SNAPSHOTS=1 npm test -- --tier checks --filter api/client
import { type List, type Operation, type Table } from './operation.js';
import type * as Types from './types.gen.js';

export interface Operations {
actors: {
/** Get the keys, tokens, usage and portal sessions of an actor. */
get: Operation<Types.ActorsGetResponse, Types.ActorsGetData>;
/** The same for an id with characters that a path cannot have, such as a slash. */
find: Operation<Types.ActorsFindResponse, Types.ActorsFindData>;
};
keys: {
auditEvents: {
/** List audit events, the newest first. */
list: List<Types.KeysAuditEventsListResponse, "audit_events", Types.KeysAuditEventsListData>;
};
/** List issued keys, the newest first. */
list: List<Types.KeysListResponse, "issued_api_keys", Types.KeysListData>;
/** Issue a key. */
issue: Operation<Types.KeysIssueResponse, Types.KeysIssueData>;
/** Let a new key take over from an issued key. */
rotate: Operation<Types.KeysRotateResponse, Types.KeysRotateData>;
/** Get an issued key. */
get: Operation<Types.KeysGetResponse, Types.KeysGetData>;
/** Update an issued key. */
update: Operation<Types.KeysUpdateResponse, Types.KeysUpdateData>;
/** Add to the credits of a key. */
addCredits: Operation<Types.KeysAddCreditsResponse, Types.KeysAddCreditsData>;
/** Replace the credits of a key. */
setCredits: Operation<Types.KeysSetCreditsResponse, Types.KeysSetCreditsData>;
/** Let a key be verified without credits. */
removeCredits: Operation<Types.KeysRemoveCreditsResponse, Types.KeysRemoveCreditsData>;
/** Refuse a key and its tokens until it is resumed. */
pause: Operation<Types.KeysPauseResponse, Types.KeysPauseData>;
/** Accept a paused key again. */
resume: Operation<Types.KeysResumeResponse, Types.KeysResumeData>;
/** Take a revocation back. */
undelete: Operation<Types.KeysUndeleteResponse, Types.KeysUndeleteData>;
/** Remove the personal data of a key that is revoked or has expired. */
erase: Operation<Types.KeysEraseResponse, Types.KeysEraseData>;
/** Why verifications refused a key in the last 30 days. */
refusals: Operation<Types.KeysRefusalsResponse, Types.KeysRefusalsData>;
/** Revoke any key. */
revoke: Operation<Types.KeysRevokeResponse, Types.KeysRevokeData>;
/** Revoke an issued key. */
revokeIssued: Operation<Types.KeysRevokeIssuedResponse, Types.KeysRevokeIssuedData>;
/** Search keys, trust rules, actors, webhook endpoints, portal sessions and events. */
search: Operation<Types.KeysSearchResponse, Types.KeysSearchData>;
/** Count verifications of an issued key. */
usage: List<Types.KeysUsageResponse, "usage", Types.KeysUsageData>;
/** Revoke the key whose secret the caller holds. */
revokeSelf: Operation<Types.KeysRevokeSelfResponse, Types.KeysRevokeSelfData>;
events: {
/** Get an event with its delivery attempts. */
get: Operation<Types.KeysEventsGetResponse, Types.KeysEventsGetData>;
/** Deliver an event again. */
resend: Operation<Types.KeysEventsResendResponse, Types.KeysEventsResendData>;
/** Send a part of the log again, in order, beside new events. */
replay: Operation<Types.KeysEventsReplayResponse, Types.KeysEventsReplayData>;
/** List the events, the oldest first. */
list: List<Types.KeysEventsListResponse, "events", Types.KeysEventsListData>;
};
webhookEndpoints: {
/** List all webhook endpoints, at most ten, the oldest first. */
list: Operation<Types.KeysWebhookEndpointsListResponse, Types.KeysWebhookEndpointsListData>;
/** Add an endpoint that receives events. */
create: Operation<Types.KeysWebhookEndpointsCreateResponse, Types.KeysWebhookEndpointsCreateData>;
/** Get a webhook endpoint, with its health. */
get: Operation<Types.KeysWebhookEndpointsGetResponse, Types.KeysWebhookEndpointsGetData>;
/** Delete a webhook endpoint. */
delete: Operation<Types.KeysWebhookEndpointsDeleteResponse, Types.KeysWebhookEndpointsDeleteData>;
/** Change the members that are sent; null resets one. */
update: Operation<Types.KeysWebhookEndpointsUpdateResponse, Types.KeysWebhookEndpointsUpdateData>;
/** Replace the secret of a webhook endpoint. */
rotateSecret: Operation<Types.KeysWebhookEndpointsRotateSecretResponse, Types.KeysWebhookEndpointsRotateSecretData>;
/** Pause a webhook endpoint; events wait. */
pause: Operation<Types.KeysWebhookEndpointsPauseResponse, Types.KeysWebhookEndpointsPauseData>;
/** Continue with the event after the last one delivered. */
resume: Operation<Types.KeysWebhookEndpointsResumeResponse, Types.KeysWebhookEndpointsResumeData>;
/** Send a signed webhook.ping now; its success ends a failure or a pause. */
test: Operation<Types.KeysWebhookEndpointsTestResponse, Types.KeysWebhookEndpointsTestData>;
/** Count the events that wait for an endpoint. */
status: Operation<Types.KeysWebhookEndpointsStatusResponse, Types.KeysWebhookEndpointsStatusData>;
/** List the attempts to deliver to an endpoint, the newest first. */
attempts: List<Types.KeysWebhookEndpointsAttemptsResponse, "attempts", Types.KeysWebhookEndpointsAttemptsData>;
/** List the parked events of an endpoint, newest first. */
parkedEvents: List<Types.KeysWebhookEndpointsParkedEventsResponse, "parked_events", Types.KeysWebhookEndpointsParkedEventsData>;
};
/** Verify a credential. */
verify: Operation<Types.KeysVerifyResponse, Types.KeysVerifyData>;
/** Verify up to 100 credentials. */
verifyAll: Operation<Types.KeysVerifyAllResponse, Types.KeysVerifyAllData>;
/** Derive a short-lived token from a key. */
derive: Operation<Types.KeysDeriveResponse, Types.KeysDeriveData>;
};
directoryLinks: {
/** List which directories stop the keys of people who leave. */
list: List<Types.DirectoryLinksListResponse, "directory_links", Types.DirectoryLinksListData>;
/** List the keys that a link would stop today, and the actors that are no person. */
preview: List<Types.DirectoryLinksPreviewResponse, "keys", Types.DirectoryLinksPreviewData>;
};
importedHashes: {
/** Count the keys that were imported by a hash. */
get: Operation<Types.ImportedHashesGetResponse, Types.ImportedHashesGetData>;
/** Drop the hashes of keys that are not used by a date. */
drop: Operation<Types.ImportedHashesDropResponse, Types.ImportedHashesDropData>;
/** Keep hashes that were to be dropped. */
keep: Operation<Types.ImportedHashesKeepResponse, Types.ImportedHashesKeepData>;
};
importedKeys: {
/** List imported keys, the newest first. */
list: List<Types.ImportedKeysListResponse, "imported_api_keys", Types.ImportedKeysListData>;
/** Import a key that was made elsewhere. */
import: Operation<Types.ImportedKeysImportResponse, Types.ImportedKeysImportData>;
/** Get an imported key. */
get: Operation<Types.ImportedKeysGetResponse, Types.ImportedKeysGetData>;
/** Delete an imported key. */
delete: Operation<Types.ImportedKeysDeleteResponse, Types.ImportedKeysDeleteData>;
/** Update an imported key. */
update: Operation<Types.ImportedKeysUpdateResponse, Types.ImportedKeysUpdateData>;
/** Revoke an imported key. */
revoke: Operation<Types.ImportedKeysRevokeResponse, Types.ImportedKeysRevokeData>;
/** Count verifications of an imported key. */
usage: List<Types.ImportedKeysUsageResponse, "usage", Types.ImportedKeysUsageData>;
/** Import up to 1000 keys. */
importAll: Operation<Types.ImportedKeysImportAllResponse, Types.ImportedKeysImportAllData>;
};
leaks: {
/** Report credentials that were found where they should not be. */
report: Operation<Types.LeaksReportResponse, Types.LeaksReportData>;
/** Get the regular expression that finds secrets of this service. */
pattern: Operation<Types.LeaksPatternResponse, Types.LeaksPatternData>;
};
portalSessions: {
/** List portal sessions, newest first. */
list: List<Types.PortalSessionsListResponse, "portal_sessions", Types.PortalSessionsListData>;
/** Let the user of an actor manage its keys on pages. */
create: Operation<Types.PortalSessionsCreateResponse, Types.PortalSessionsCreateData>;
/** Get a portal session. */
get: Operation<Types.PortalSessionsGetResponse, Types.PortalSessionsGetData>;
/** End a portal session at once. */
revoke: Operation<Types.PortalSessionsRevokeResponse, Types.PortalSessionsRevokeData>;
};
trustRules: {
/** Revoke a trust rule. */
revoke: Operation<Types.TrustRulesRevokeResponse, Types.TrustRulesRevokeData>;
/** List trust rules, the newest first. */
list: List<Types.TrustRulesListResponse, "trust_rules", Types.TrustRulesListData>;
/** Let tokens of another issuer be exchanged. */
create: Operation<Types.TrustRulesCreateResponse, Types.TrustRulesCreateData>;
/** Get a trust rule. */
get: Operation<Types.TrustRulesGetResponse, Types.TrustRulesGetData>;
/** Update a trust rule. */
update: Operation<Types.TrustRulesUpdateResponse, Types.TrustRulesUpdateData>;
};
usage: {
/** Count verifications by time, key, actor, tag and outcome. */
list: List<Types.UsageListResponse, "usage", Types.UsageListData>;
};
tokens: {
/** Where tokens are exchanged, and which keys verify them (RFC 8414). */
metadata: Operation<Types.TokensMetadataResponse, Types.TokensMetadataData>;
/** The public keys of derived JWTs. */
jwks: Operation<Types.TokensJwksResponse, Types.TokensJwksData>;
/** Exchange a key, or a token of a trusted issuer, for a JWT (RFC 8693). */
exchange: Operation<Types.TokensExchangeResponse, Types.TokensExchangeData>;
};
directories: {
auditEvents: {
/** List changes by administrators and refused calls, newest first. */
list: List<Types.DirectoriesAuditEventsListResponse, "", Types.DirectoriesAuditEventsListData>;
};
/** Search the records of all directories. */
search: Operation<Types.DirectoriesSearchResponse, Types.DirectoriesSearchData>;
/** Count the SCIM requests of all directories, or of one, by hour and status. */
usage: Operation<Types.DirectoriesUsageResponse, Types.DirectoriesUsageData>;
users: {
/** List the users of a directory. */
list: List<Types.DirectoriesUsersListResponse, "", Types.DirectoriesUsersListData>;
/** Get a user of a directory. */
get: Operation<Types.DirectoriesUsersGetResponse, Types.DirectoriesUsersGetData>;
};
groups: {
/** List the groups of a directory. */
list: List<Types.DirectoriesGroupsListResponse, "", Types.DirectoriesGroupsListData>;
/** Get a group of a directory. */
get: Operation<Types.DirectoriesGroupsGetResponse, Types.DirectoriesGroupsGetData>;
/** List the members of a group. */
members: List<Types.DirectoriesGroupsMembersResponse, "", Types.DirectoriesGroupsMembersData>;
};
events: {
/** List the events of a directory, or of all, the oldest first. */
list: List<Types.DirectoriesEventsListResponse, "", Types.DirectoriesEventsListData>;
/** The id of the newest event: a cursor for a reader that starts now. */
latest: Operation<Types.DirectoriesEventsLatestResponse, Types.DirectoriesEventsLatestData>;
/** Deliver what waits, at once. */
process: Operation<Types.DirectoriesEventsProcessResponse, Types.DirectoriesEventsProcessData>;
/** Get an event with its delivery attempts. */
get: Operation<Types.DirectoriesEventsGetResponse, Types.DirectoriesEventsGetData>;
/** Deliver an event again. */
resend: Operation<Types.DirectoriesEventsResendResponse, Types.DirectoriesEventsResendData>;
/** Send a part of the log again, in order, beside new events. */
replay: Operation<Types.DirectoriesEventsReplayResponse, Types.DirectoriesEventsReplayData>;
/** Send a part of the log of all sources again. */
replayAll: Operation<Types.DirectoriesEventsReplayAllResponse, Types.DirectoriesEventsReplayAllData>;
};
webhookEndpoints: {
/** List the webhook endpoints of all directories, the newest directory first. */
listAll: List<Types.DirectoriesWebhookEndpointsListAllResponse, "", Types.DirectoriesWebhookEndpointsListAllData>;
/** List all webhook endpoints, at most ten, the oldest first. */
list: Operation<Types.DirectoriesWebhookEndpointsListResponse, Types.DirectoriesWebhookEndpointsListData>;
/** Add an endpoint that receives events. */
create: Operation<Types.DirectoriesWebhookEndpointsCreateResponse, Types.DirectoriesWebhookEndpointsCreateData>;
/** Get a webhook endpoint, with its health. */
get: Operation<Types.DirectoriesWebhookEndpointsGetResponse, Types.DirectoriesWebhookEndpointsGetData>;
/** Delete a webhook endpoint. */
delete: Operation<Types.DirectoriesWebhookEndpointsDeleteResponse, Types.DirectoriesWebhookEndpointsDeleteData>;
/** Change the members that are sent; null resets one. */
update: Operation<Types.DirectoriesWebhookEndpointsUpdateResponse, Types.DirectoriesWebhookEndpointsUpdateData>;
/** Replace the secret of a webhook endpoint. */
rotateSecret: Operation<Types.DirectoriesWebhookEndpointsRotateSecretResponse, Types.DirectoriesWebhookEndpointsRotateSecretData>;
/** Pause a webhook endpoint; events wait. */
pause: Operation<Types.DirectoriesWebhookEndpointsPauseResponse, Types.DirectoriesWebhookEndpointsPauseData>;
/** Continue with the event after the last one delivered. */
resume: Operation<Types.DirectoriesWebhookEndpointsResumeResponse, Types.DirectoriesWebhookEndpointsResumeData>;
/** Send a signed webhook.ping now; its success ends a failure or a pause. */
test: Operation<Types.DirectoriesWebhookEndpointsTestResponse, Types.DirectoriesWebhookEndpointsTestData>;
/** Count the events that wait for an endpoint. */
status: Operation<Types.DirectoriesWebhookEndpointsStatusResponse, Types.DirectoriesWebhookEndpointsStatusData>;
/** List the attempts to deliver to an endpoint, the newest first. */
attempts: List<Types.DirectoriesWebhookEndpointsAttemptsResponse, "attempts", Types.DirectoriesWebhookEndpointsAttemptsData>;
/** List the parked events of an endpoint, newest first. */
parkedEvents: List<Types.DirectoriesWebhookEndpointsParkedEventsResponse, "parked_events", Types.DirectoriesWebhookEndpointsParkedEventsData>;
};
/** List the logged delivery attempts of a directory, the newest first. */
webhookLogs: List<Types.DirectoriesWebhookLogsResponse, "", Types.DirectoriesWebhookLogsData>;
/** Start a run of every workspace directory without an unfinished one. */
syncAll: Operation<Types.DirectoriesSyncAllResponse, Types.DirectoriesSyncAllData>;
/** Start a run, or get the one under way. */
sync: Operation<Types.DirectoriesSyncResponse, Types.DirectoriesSyncData>;
runs: {
/** List the last runs, newest first. */
list: List<Types.DirectoriesRunsListResponse, "", Types.DirectoriesRunsListData>;
/** Get a run, and of a held one what it would do. */
get: Operation<Types.DirectoriesRunsGetResponse, Types.DirectoriesRunsGetData>;
/** Let a held run go on. */
approve: Operation<Types.DirectoriesRunsApproveResponse, Types.DirectoriesRunsApproveData>;
/** End a held run without changes. */
discard: Operation<Types.DirectoriesRunsDiscardResponse, Types.DirectoriesRunsDiscardData>;
};
workspaceSettings: {
/** What a workspace directory takes over. */
get: Operation<Types.DirectoriesWorkspaceSettingsGetResponse, Types.DirectoriesWorkspaceSettingsGetData>;
/** Change what a workspace directory takes over, and what holds a run. */
update: Operation<Types.DirectoriesWorkspaceSettingsUpdateResponse, Types.DirectoriesWorkspaceSettingsUpdateData>;
};
guard: {
/** Get the guard of a SCIM directory. */
get: Operation<Types.DirectoriesGuardGetResponse, Types.DirectoriesGuardGetData>;
/** Change what holds removals of a SCIM directory. */
update: Operation<Types.DirectoriesGuardUpdateResponse, Types.DirectoriesGuardUpdateData>;
};
roleMapping: {
/** Which roles groups give to users. */
get: Operation<Types.DirectoriesRoleMappingGetResponse, Types.DirectoriesRoleMappingGetData>;
/** Set which roles groups give to users. */
set: Operation<Types.DirectoriesRoleMappingSetResponse, Types.DirectoriesRoleMappingSetData>;
/** Take away the roles of all users. */
delete: Operation<Types.DirectoriesRoleMappingDeleteResponse, Types.DirectoriesRoleMappingDeleteData>;
/** Show what a role mapping would change. */
preview: Operation<Types.DirectoriesRoleMappingPreviewResponse, Types.DirectoriesRoleMappingPreviewData>;
};
requests: {
/** List the SCIM requests of a directory, the newest first. */
list: List<Types.DirectoriesRequestsListResponse, "", Types.DirectoriesRequestsListData>;
/** Keep the redacted bodies of SCIM requests for some hours. */
startCapture: Operation<Types.DirectoriesRequestsStartCaptureResponse, Types.DirectoriesRequestsStartCaptureData>;
/** Keep no more bodies of SCIM requests. */
stopCapture: Operation<Types.DirectoriesRequestsStopCaptureResponse, Types.DirectoriesRequestsStopCaptureData>;
/** Get a SCIM request, with its bodies if they were captured. */
get: Operation<Types.DirectoriesRequestsGetResponse, Types.DirectoriesRequestsGetData>;
};
scimTokens: {
/** List the SCIM tokens of a directory, the oldest first. */
list: Operation<Types.DirectoriesScimTokensListResponse, Types.DirectoriesScimTokensListData>;
/** Create a SCIM token. */
create: Operation<Types.DirectoriesScimTokensCreateResponse, Types.DirectoriesScimTokensCreateData>;
/** Get a SCIM token. */
get: Operation<Types.DirectoriesScimTokensGetResponse, Types.DirectoriesScimTokensGetData>;
/** Revoke a SCIM token. */
delete: Operation<Types.DirectoriesScimTokensDeleteResponse, Types.DirectoriesScimTokensDeleteData>;
/** Change the name or the expiry of a SCIM token. */
update: Operation<Types.DirectoriesScimTokensUpdateResponse, Types.DirectoriesScimTokensUpdateData>;
/** Replace the secret of a SCIM token. */
rotate: Operation<Types.DirectoriesScimTokensRotateResponse, Types.DirectoriesScimTokensRotateData>;
};
/** Remove the SCIM secret of a directory. */
retireSecret: Operation<Types.DirectoriesRetireSecretResponse, Types.DirectoriesRetireSecretData>;
/** List directories with their health, or those of a tenant and product. */
list: List<Types.DirectoriesListResponse, "", Types.DirectoriesListData>;
/** Create a directory. */
create: Operation<Types.DirectoriesCreateResponse, Types.DirectoriesCreateData>;
/** List the directories of a product, or of a provider type. */
listOfProduct: List<Types.DirectoriesListOfProductResponse, "", Types.DirectoriesListOfProductData>;
/** Get a directory. */
get: Operation<Types.DirectoriesGetResponse, Types.DirectoriesGetData>;
/** Delete a directory with its users and groups. */
delete: Operation<Types.DirectoriesDeleteResponse, Types.DirectoriesDeleteData>;
/** Change a directory. */
update: Operation<Types.DirectoriesUpdateResponse, Types.DirectoriesUpdateData>;
/** Replace the SCIM secret of a directory. */
rotateSecret: Operation<Types.DirectoriesRotateSecretResponse, Types.DirectoriesRotateSecretData>;
/** Get the address at which an administrator connects a workspace directory. */
authorizationUrl: Operation<Types.DirectoriesAuthorizationUrlResponse, Types.DirectoriesAuthorizationUrlData>;
/** Disconnect a workspace directory from its account. */
disconnect: Operation<Types.DirectoriesDisconnectResponse, Types.DirectoriesDisconnectData>;
/** The state of the deliveries of a directory. */
status: Operation<Types.DirectoriesStatusResponse, Types.DirectoriesStatusData>;
};
keyLinks: {
/** List key links, or that of a tenant and product. */
list: List<Types.KeyLinksListResponse, "", Types.KeyLinksListData>;
/** Link the people of a tenant and product with the actors of keys. */
set: Operation<Types.KeyLinksSetResponse, Types.KeyLinksSetData>;
/** Delete the key link of a tenant and product; keys stay as they are. */
delete: Operation<Types.KeyLinksDeleteResponse, Types.KeyLinksDeleteData>;
};
setupLinks: {
/** List setup links, or those of a directory. */
list: List<Types.SetupLinksListResponse, "", Types.SetupLinksListData>;
/** Create a setup link for the administrator of an identity provider. */
create: Operation<Types.SetupLinksCreateResponse, Types.SetupLinksCreateData>;
/** Get a setup link. */
get: Operation<Types.SetupLinksGetResponse, Types.SetupLinksGetData>;
/** Revoke a setup link, and end its session. */
revoke: Operation<Types.SetupLinksRevokeResponse, Types.SetupLinksRevokeData>;
/** End the session of a setup link. */
endSession: Operation<Types.SetupLinksEndSessionResponse, Types.SetupLinksEndSessionData>;
};
scim: {
users: {
/** Query users. */
list: Operation<Types.ScimUsersListResponse, Types.ScimUsersListData>;
/** Create a user. */
create: Operation<Types.ScimUsersCreateResponse, Types.ScimUsersCreateData>;
/** Get a user. */
get: Operation<Types.ScimUsersGetResponse, Types.ScimUsersGetData>;
/** Replace a user. */
replace: Operation<Types.ScimUsersReplaceResponse, Types.ScimUsersReplaceData>;
/** Delete a user. */
delete: Operation<Types.ScimUsersDeleteResponse, Types.ScimUsersDeleteData>;
/** Change a user. */
patch: Operation<Types.ScimUsersPatchResponse, Types.ScimUsersPatchData>;
/** Query users by POST. */
search: Operation<Types.ScimUsersSearchResponse, Types.ScimUsersSearchData>;
};
groups: {
/** Query groups. */
list: Operation<Types.ScimGroupsListResponse, Types.ScimGroupsListData>;
/** Create a group. */
create: Operation<Types.ScimGroupsCreateResponse, Types.ScimGroupsCreateData>;
/** Get a group. */
get: Operation<Types.ScimGroupsGetResponse, Types.ScimGroupsGetData>;
/** Replace a group. */
replace: Operation<Types.ScimGroupsReplaceResponse, Types.ScimGroupsReplaceData>;
/** Delete a group. */
delete: Operation<Types.ScimGroupsDeleteResponse, Types.ScimGroupsDeleteData>;
/** Change a group. */
patch: Operation<Types.ScimGroupsPatchResponse, Types.ScimGroupsPatchData>;
/** Query groups by POST. */
search: Operation<Types.ScimGroupsSearchResponse, Types.ScimGroupsSearchData>;
};
resources: {
/** Query users, then groups. */
list: Operation<Types.ScimResourcesListResponse, Types.ScimResourcesListData>;
/** Query users, then groups, by POST. */
search: Operation<Types.ScimResourcesSearchResponse, Types.ScimResourcesSearchData>;
};
/** Run up to 1000 operations in one request of at most 1 MiB. */
bulk: Operation<Types.ScimBulkResponse, Types.ScimBulkData>;
/** Get the supported features and limits. */
serviceProviderConfig: Operation<Types.ScimServiceProviderConfigResponse, Types.ScimServiceProviderConfigData>;
resourceTypes: {
/** List the resource types. */
list: Operation<Types.ScimResourceTypesListResponse, Types.ScimResourceTypesListData>;
/** Get a resource type. */
get: Operation<Types.ScimResourceTypesGetResponse, Types.ScimResourceTypesGetData>;
};
schemas: {
/** List the schemas. */
list: Operation<Types.ScimSchemasListResponse, Types.ScimSchemasListData>;
/** Get a schema. */
get: Operation<Types.ScimSchemasGetResponse, Types.ScimSchemasGetData>;
};
};
identities: {
events: {
/** Get an event with its delivery attempts. */
get: Operation<Types.IdentitiesEventsGetResponse, Types.IdentitiesEventsGetData>;
/** Deliver an event again. */
resend: Operation<Types.IdentitiesEventsResendResponse, Types.IdentitiesEventsResendData>;
/** Send a part of the log again, in order, beside new events. */
replay: Operation<Types.IdentitiesEventsReplayResponse, Types.IdentitiesEventsReplayData>;
/** List the events, the oldest first. */
list: List<Types.IdentitiesEventsListResponse, "events", Types.IdentitiesEventsListData>;
};
webhookEndpoints: {
/** List all webhook endpoints, at most ten, the oldest first. */
list: Operation<Types.IdentitiesWebhookEndpointsListResponse, Types.IdentitiesWebhookEndpointsListData>;
/** Add an endpoint that receives events. */
create: Operation<Types.IdentitiesWebhookEndpointsCreateResponse, Types.IdentitiesWebhookEndpointsCreateData>;
/** Get a webhook endpoint, with its health. */
get: Operation<Types.IdentitiesWebhookEndpointsGetResponse, Types.IdentitiesWebhookEndpointsGetData>;
/** Delete a webhook endpoint. */
delete: Operation<Types.IdentitiesWebhookEndpointsDeleteResponse, Types.IdentitiesWebhookEndpointsDeleteData>;
/** Change the members that are sent; null resets one. */
update: Operation<Types.IdentitiesWebhookEndpointsUpdateResponse, Types.IdentitiesWebhookEndpointsUpdateData>;
/** Replace the secret of a webhook endpoint. */
rotateSecret: Operation<Types.IdentitiesWebhookEndpointsRotateSecretResponse, Types.IdentitiesWebhookEndpointsRotateSecretData>;
/** Pause a webhook endpoint; events wait. */
pause: Operation<Types.IdentitiesWebhookEndpointsPauseResponse, Types.IdentitiesWebhookEndpointsPauseData>;
/** Continue with the event after the last one delivered. */
resume: Operation<Types.IdentitiesWebhookEndpointsResumeResponse, Types.IdentitiesWebhookEndpointsResumeData>;
/** Send a signed webhook.ping now; its success ends a failure or a pause. */
test: Operation<Types.IdentitiesWebhookEndpointsTestResponse, Types.IdentitiesWebhookEndpointsTestData>;
/** Count the events that wait for an endpoint. */
status: Operation<Types.IdentitiesWebhookEndpointsStatusResponse, Types.IdentitiesWebhookEndpointsStatusData>;
/** List the attempts to deliver to an endpoint, the newest first. */
attempts: List<Types.IdentitiesWebhookEndpointsAttemptsResponse, "attempts", Types.IdentitiesWebhookEndpointsAttemptsData>;
/** List the parked events of an endpoint, newest first. */
parkedEvents: List<Types.IdentitiesWebhookEndpointsParkedEventsResponse, "parked_events", Types.IdentitiesWebhookEndpointsParkedEventsData>;
};
/** List identities, newest first, or find one by an identifier. */
list: List<Types.IdentitiesListResponse, "identities", Types.IdentitiesListData>;
/** Create or import an identity. */
create: Operation<Types.IdentitiesCreateResponse, Types.IdentitiesCreateData>;
/** Get an identity. */
get: Operation<Types.IdentitiesGetResponse, Types.IdentitiesGetData>;
/** Delete an identity and its open flows. */
delete: Operation<Types.IdentitiesDeleteResponse, Types.IdentitiesDeleteData>;
/** Change traits; the result is validated again. */
update: Operation<Types.IdentitiesUpdateResponse, Types.IdentitiesUpdateData>;
keyLink: {
/** Get what happens to the keys of deleted identities. */
get: Operation<Types.IdentitiesKeyLinkGetResponse, Types.IdentitiesKeyLinkGetData>;
/** Set what happens to the keys of deleted identities. */
set: Operation<Types.IdentitiesKeyLinkSetResponse, Types.IdentitiesKeyLinkSetData>;
/** Let identities be deleted without an effect on keys. */
delete: Operation<Types.IdentitiesKeyLinkDeleteResponse, Types.IdentitiesKeyLinkDeleteData>;
};
/** Search identities, schemas, flows, events and webhook endpoints. */
search: Operation<Types.IdentitiesSearchResponse, Types.IdentitiesSearchData>;
auditEvents: {
/** List changes by administrators and refused calls, newest first. */
list: List<Types.IdentitiesAuditEventsListResponse, "audit_events", Types.IdentitiesAuditEventsListData>;
};
};
schemas: {
/** List the current versions, by id, with an ETag. */
list: List<Types.SchemasListResponse, "schemas", Types.SchemasListData>;
/** Register a schema. */
register: Operation<Types.SchemasRegisterResponse, Types.SchemasRegisterData>;
/** Get one version, with an ETag. */
get: Operation<Types.SchemasGetResponse, Types.SchemasGetData>;
/** Add a version; the same content keeps its version. */
put: Operation<Types.SchemasPutResponse, Types.SchemasPutData>;
/** The empty form of a schema: its model, or the page by Accept. */
form: Operation<Types.SchemasFormResponse, Types.SchemasFormData>;
/** The empty form of a schema that is not stored. */
preview: Operation<Types.SchemasPreviewResponse, Types.SchemasPreviewData>;
};
forms: {
/** Start a flow: an address to send a person to. */
start: Operation<Types.FormsStartResponse, Types.FormsStartData>;
/** Get the result of a flow, and its identity. */
flow: Operation<Types.FormsFlowResponse, Types.FormsFlowData>;
/** Decode a form. */
decode: Operation<Types.FormsDecodeResponse, Types.FormsDecodeData, 'body'>;
};
}

export const OPERATIONS = {
actors: {
get: ["GET","/v2alpha1/admin/actors/{actor_id}"],
find: ["GET","/v2alpha1/admin/actors"],
},
keys: {
auditEvents: {
list: ["GET","/v2alpha1/admin/auditEvents",{"page":"token","items":"audit_events"}],
},
list: ["GET","/v2alpha1/admin/issuedApiKeys",{"page":"token","items":"issued_api_keys"}],
issue: ["POST","/v2alpha1/admin/issuedApiKeys"],
rotate: ["POST","/v2alpha1/admin/issuedApiKeys/{key_id}:rotate"],
get: ["GET","/v2alpha1/admin/issuedApiKeys/{key_id}"],
update: ["PATCH","/v2alpha1/admin/issuedApiKeys/{key_id}",{"query":["update_mask"]}],
addCredits: ["POST","/v2alpha1/admin/apiKeys/{key_id}:addCredits"],
setCredits: ["POST","/v2alpha1/admin/apiKeys/{key_id}:setCredits"],
removeCredits: ["POST","/v2alpha1/admin/apiKeys/{key_id}:removeCredits"],
pause: ["POST","/v2alpha1/admin/apiKeys/{key_id}:pause"],
resume: ["POST","/v2alpha1/admin/apiKeys/{key_id}:resume"],
undelete: ["POST","/v2alpha1/admin/apiKeys/{key_id}:undelete"],
erase: ["POST","/v2alpha1/admin/apiKeys/{key_id}:erase"],
refusals: ["GET","/v2alpha1/admin/apiKeys/{key_id}/refusals"],
revoke: ["POST","/v2alpha1/admin/apiKeys/{key_id}:revoke"],
revokeIssued: ["POST","/v2alpha1/admin/issuedApiKeys/{key_id}:revoke"],
search: ["GET","/v2alpha1/admin/search"],
usage: ["GET","/v2alpha1/admin/issuedApiKeys/{key_id}/usage",{"page":"token","items":"usage"}],
revokeSelf: ["POST","/v2alpha1/apiKeys:selfRevoke"],
events: {
get: ["GET","/v2alpha1/admin/events/{id}"],
resend: ["POST","/v2alpha1/admin/events/{id}/resend"],
replay: ["POST","/v2alpha1/admin/events/replay"],
list: ["GET","/v2alpha1/admin/events",{"page":"token","items":"events"}],
},
webhookEndpoints: {
list: ["GET","/v2alpha1/admin/webhook-endpoints"],
create: ["POST","/v2alpha1/admin/webhook-endpoints"],
get: ["GET","/v2alpha1/admin/webhook-endpoints/{id}"],
delete: ["DELETE","/v2alpha1/admin/webhook-endpoints/{id}"],
update: ["PATCH","/v2alpha1/admin/webhook-endpoints/{id}"],
rotateSecret: ["POST","/v2alpha1/admin/webhook-endpoints/{id}/rotate-secret"],
pause: ["POST","/v2alpha1/admin/webhook-endpoints/{id}/pause"],
resume: ["POST","/v2alpha1/admin/webhook-endpoints/{id}/resume"],
test: ["POST","/v2alpha1/admin/webhook-endpoints/{id}/test"],
status: ["GET","/v2alpha1/admin/webhook-endpoints/{id}/status"],
attempts: ["GET","/v2alpha1/admin/webhook-endpoints/{id}/attempts",{"page":"token","items":"attempts"}],
parkedEvents: ["GET","/v2alpha1/admin/webhook-endpoints/{id}/parked-events",{"page":"token","items":"parked_events"}],
},
verify: ["POST","/v2alpha1/admin/apiKeys:verify"],
verifyAll: ["POST","/v2alpha1/admin/apiKeys:batchVerify"],
derive: ["POST","/v2alpha1/admin/apiKeys:derive"],
},
directoryLinks: {
list: ["GET","/v2alpha1/admin/directoryLinks",{"page":"token","items":"directory_links"}],
preview: ["GET","/v2alpha1/admin/directoryLinks:preview",{"page":"token","items":"keys"}],
},
importedHashes: {
get: ["GET","/v2alpha1/admin/importedHashes"],
drop: ["POST","/v2alpha1/admin/importedHashes:drop"],
keep: ["POST","/v2alpha1/admin/importedHashes:keep"],
},
importedKeys: {
list: ["GET","/v2alpha1/admin/importedApiKeys",{"page":"token","items":"imported_api_keys"}],
import: ["POST","/v2alpha1/admin/importedApiKeys"],
get: ["GET","/v2alpha1/admin/importedApiKeys/{key_id}"],
delete: ["DELETE","/v2alpha1/admin/importedApiKeys/{key_id}"],
update: ["PATCH","/v2alpha1/admin/importedApiKeys/{key_id}",{"query":["update_mask"]}],
revoke: ["POST","/v2alpha1/admin/importedApiKeys/{key_id}:revoke"],
usage: ["GET","/v2alpha1/admin/importedApiKeys/{key_id}/usage",{"page":"token","items":"usage"}],
importAll: ["POST","/v2alpha1/admin/importedApiKeys:batchCreate"],
},
leaks: {
report: ["POST","/v2alpha1/admin/apiKeys:reportLeaks"],
pattern: ["GET","/v2alpha1/admin/apiKeys:leakPattern"],
},
portalSessions: {
list: ["GET","/v2alpha1/admin/portalSessions",{"page":"token","items":"portal_sessions"}],
create: ["POST","/v2alpha1/admin/portalSessions"],
get: ["GET","/v2alpha1/admin/portalSessions/{session_id}"],
revoke: ["POST","/v2alpha1/admin/portalSessions/{session_id}:revoke"],
},
trustRules: {
revoke: ["POST","/v2alpha1/admin/trustRules/{key_id}:revoke"],
list: ["GET","/v2alpha1/admin/trustRules",{"page":"token","items":"trust_rules"}],
create: ["POST","/v2alpha1/admin/trustRules"],
get: ["GET","/v2alpha1/admin/trustRules/{key_id}"],
update: ["PATCH","/v2alpha1/admin/trustRules/{key_id}",{"query":["update_mask"]}],
},
usage: {
list: ["GET","/v2alpha1/admin/usage",{"page":"token","items":"usage"}],
},
tokens: {
metadata: ["GET","/.well-known/oauth-authorization-server"],
jwks: ["GET","/v2alpha1/derivedKeys/jwks.json"],
exchange: ["POST","/oauth/token",{"type":"application/x-www-form-urlencoded"}],
},
directories: {
auditEvents: {
list: ["GET","/api/v1/dsync/audit-events",{"page":"offset","items":""}],
},
search: ["GET","/api/v1/dsync/search"],
usage: ["GET","/api/v1/dsync/scim-usage"],
users: {
list: ["GET","/api/v1/dsync/users",{"page":"offset","items":""}],
get: ["GET","/api/v1/dsync/users/{id}"],
},
groups: {
list: ["GET","/api/v1/dsync/groups",{"page":"offset","items":""}],
get: ["GET","/api/v1/dsync/groups/{id}"],
members: ["GET","/api/v1/dsync/groups/{id}/members",{"page":"offset","items":""}],
},
events: {
list: ["GET","/api/v1/dsync/events",{"page":"after","items":""}],
latest: ["GET","/api/v1/dsync/events/latest"],
process: ["POST","/api/v1/dsync/cron/process-events",{"query":["wait"]}],
get: ["GET","/api/v1/dsync/events/{id}"],
resend: ["POST","/api/v1/dsync/events/{id}/resend"],
replay: ["POST","/api/v1/dsync/{directoryId}/events/replay"],
replayAll: ["POST","/api/v1/dsync/events/replay"],
},
webhookEndpoints: {
listAll: ["GET","/api/v1/dsync/webhook-endpoints",{"page":"offset","items":""}],
list: ["GET","/api/v1/dsync/{directoryId}/webhook-endpoints"],
create: ["POST","/api/v1/dsync/{directoryId}/webhook-endpoints"],
get: ["GET","/api/v1/dsync/{directoryId}/webhook-endpoints/{id}"],
delete: ["DELETE","/api/v1/dsync/{directoryId}/webhook-endpoints/{id}"],
update: ["PATCH","/api/v1/dsync/{directoryId}/webhook-endpoints/{id}"],
rotateSecret: ["POST","/api/v1/dsync/{directoryId}/webhook-endpoints/{id}/rotate-secret"],
pause: ["POST","/api/v1/dsync/{directoryId}/webhook-endpoints/{id}/pause"],
resume: ["POST","/api/v1/dsync/{directoryId}/webhook-endpoints/{id}/resume"],
test: ["POST","/api/v1/dsync/{directoryId}/webhook-endpoints/{id}/test"],
status: ["GET","/api/v1/dsync/{directoryId}/webhook-endpoints/{id}/status"],
attempts: ["GET","/api/v1/dsync/{directoryId}/webhook-endpoints/{id}/attempts",{"page":"token","items":"attempts"}],
parkedEvents: ["GET","/api/v1/dsync/{directoryId}/webhook-endpoints/{id}/parked-events",{"page":"token","items":"parked_events"}],
},
webhookLogs: ["GET","/api/v1/dsync/{id}/webhook/logs",{"page":"offset","items":""}],
syncAll: ["POST","/api/v1/dsync/cron/sync-workspace"],
sync: ["POST","/api/v1/dsync/{directoryId}/sync"],
runs: {
list: ["GET","/api/v1/dsync/{directoryId}/runs",{"page":"offset","items":""}],
get: ["GET","/api/v1/dsync/{directoryId}/runs/{runId}"],
approve: ["POST","/api/v1/dsync/{directoryId}/runs/{runId}/approve"],
discard: ["POST","/api/v1/dsync/{directoryId}/runs/{runId}/discard"],
},
workspaceSettings: {
get: ["GET","/api/v1/dsync/{directoryId}/workspace/settings"],
update: ["PATCH","/api/v1/dsync/{directoryId}/workspace/settings"],
},
guard: {
get: ["GET","/api/v1/dsync/{directoryId}/guard"],
update: ["PATCH","/api/v1/dsync/{directoryId}/guard"],
},
roleMapping: {
get: ["GET","/api/v1/dsync/{directoryId}/role-mappings"],
set: ["PUT","/api/v1/dsync/{directoryId}/role-mappings"],
delete: ["DELETE","/api/v1/dsync/{directoryId}/role-mappings"],
preview: ["POST","/api/v1/dsync/{directoryId}/role-mappings:preview"],
},
requests: {
list: ["GET","/api/v1/dsync/{directoryId}/requests",{"page":"after","items":""}],
startCapture: ["POST","/api/v1/dsync/{directoryId}/requests/capture"],
stopCapture: ["DELETE","/api/v1/dsync/{directoryId}/requests/capture"],
get: ["GET","/api/v1/dsync/{directoryId}/requests/{id}"],
},
scimTokens: {
list: ["GET","/api/v1/dsync/{directoryId}/scim-tokens"],
create: ["POST","/api/v1/dsync/{directoryId}/scim-tokens"],
get: ["GET","/api/v1/dsync/{directoryId}/scim-tokens/{id}"],
delete: ["DELETE","/api/v1/dsync/{directoryId}/scim-tokens/{id}"],
update: ["PATCH","/api/v1/dsync/{directoryId}/scim-tokens/{id}"],
rotate: ["POST","/api/v1/dsync/{directoryId}/scim-tokens/{id}/rotate-secret"],
},
retireSecret: ["POST","/api/v1/dsync/{id}/retire-secret"],
list: ["GET","/api/v1/dsync",{"page":"offset","items":""}],
create: ["POST","/api/v1/dsync"],
listOfProduct: ["GET","/api/v1/dsync/product",{"page":"offset","items":""}],
get: ["GET","/api/v1/dsync/{id}"],
delete: ["DELETE","/api/v1/dsync/{id}"],
update: ["PATCH","/api/v1/dsync/{id}"],
rotateSecret: ["POST","/api/v1/dsync/{id}/rotate-secret"],
authorizationUrl: ["GET","/api/v1/dsync/{id}/workspace/authorization-url"],
disconnect: ["DELETE","/api/v1/dsync/{id}/workspace/connection"],
status: ["GET","/api/v1/dsync/{id}/status"],
},
keyLinks: {
list: ["GET","/api/v1/dsync/key-links",{"page":"offset","items":""}],
set: ["PUT","/api/v1/dsync/key-links"],
delete: ["DELETE","/api/v1/dsync/key-links"],
},
setupLinks: {
list: ["GET","/api/v1/dsync/setup-links",{"page":"offset","items":""}],
create: ["POST","/api/v1/dsync/setup-links"],
get: ["GET","/api/v1/dsync/setup-links/{id}"],
revoke: ["DELETE","/api/v1/dsync/setup-links/{id}"],
endSession: ["POST","/api/v1/dsync/setup-links/{id}/end-session"],
},
scim: {
users: {
list: ["GET","/api/scim/v2.0/{directoryId}/Users"],
create: ["POST","/api/scim/v2.0/{directoryId}/Users",{"query":["attributes","excludedAttributes"],"type":"application/scim+json"}],
get: ["GET","/api/scim/v2.0/{directoryId}/Users/{id}"],
replace: ["PUT","/api/scim/v2.0/{directoryId}/Users/{id}",{"query":["attributes","excludedAttributes"],"type":"application/scim+json"}],
delete: ["DELETE","/api/scim/v2.0/{directoryId}/Users/{id}"],
patch: ["PATCH","/api/scim/v2.0/{directoryId}/Users/{id}",{"query":["attributes","excludedAttributes"],"type":"application/scim+json"}],
search: ["POST","/api/scim/v2.0/{directoryId}/Users/.search",{"type":"application/scim+json"}],
},
groups: {
list: ["GET","/api/scim/v2.0/{directoryId}/Groups"],
create: ["POST","/api/scim/v2.0/{directoryId}/Groups",{"query":["attributes","excludedAttributes"],"type":"application/scim+json"}],
get: ["GET","/api/scim/v2.0/{directoryId}/Groups/{id}"],
replace: ["PUT","/api/scim/v2.0/{directoryId}/Groups/{id}",{"query":["attributes","excludedAttributes"],"type":"application/scim+json"}],
delete: ["DELETE","/api/scim/v2.0/{directoryId}/Groups/{id}"],
patch: ["PATCH","/api/scim/v2.0/{directoryId}/Groups/{id}",{"query":["attributes","excludedAttributes"],"type":"application/scim+json"}],
search: ["POST","/api/scim/v2.0/{directoryId}/Groups/.search",{"type":"application/scim+json"}],
},
resources: {
list: ["GET","/api/scim/v2.0/{directoryId}"],
search: ["POST","/api/scim/v2.0/{directoryId}/.search",{"type":"application/scim+json"}],
},
bulk: ["POST","/api/scim/v2.0/{directoryId}/Bulk",{"type":"application/scim+json"}],
serviceProviderConfig: ["GET","/api/scim/v2.0/{directoryId}/ServiceProviderConfig"],
resourceTypes: {
list: ["GET","/api/scim/v2.0/{directoryId}/ResourceTypes"],
get: ["GET","/api/scim/v2.0/{directoryId}/ResourceTypes/{id}"],
},
schemas: {
list: ["GET","/api/scim/v2.0/{directoryId}/Schemas"],
get: ["GET","/api/scim/v2.0/{directoryId}/Schemas/{id}"],
},
},
identities: {
events: {
get: ["GET","/v1/events/{id}"],
resend: ["POST","/v1/events/{id}/resend"],
replay: ["POST","/v1/events/replay"],
list: ["GET","/v1/events",{"page":"token","items":"events"}],
},
webhookEndpoints: {
list: ["GET","/v1/webhook-endpoints"],
create: ["POST","/v1/webhook-endpoints"],
get: ["GET","/v1/webhook-endpoints/{id}"],
delete: ["DELETE","/v1/webhook-endpoints/{id}"],
update: ["PATCH","/v1/webhook-endpoints/{id}"],
rotateSecret: ["POST","/v1/webhook-endpoints/{id}/rotate-secret"],
pause: ["POST","/v1/webhook-endpoints/{id}/pause"],
resume: ["POST","/v1/webhook-endpoints/{id}/resume"],
test: ["POST","/v1/webhook-endpoints/{id}/test"],
status: ["GET","/v1/webhook-endpoints/{id}/status"],
attempts: ["GET","/v1/webhook-endpoints/{id}/attempts",{"page":"token","items":"attempts"}],
parkedEvents: ["GET","/v1/webhook-endpoints/{id}/parked-events",{"page":"token","items":"parked_events"}],
},
list: ["GET","/v1/identities",{"page":"token","items":"identities"}],
create: ["POST","/v1/identities"],
get: ["GET","/v1/identities/{id}"],
delete: ["DELETE","/v1/identities/{id}"],
update: ["PATCH","/v1/identities/{id}"],
keyLink: {
get: ["GET","/v1/key-link"],
set: ["PUT","/v1/key-link"],
delete: ["DELETE","/v1/key-link"],
},
search: ["GET","/v1/search"],
auditEvents: {
list: ["GET","/v1/audit-events",{"page":"token","items":"audit_events"}],
},
},
schemas: {
list: ["GET","/v1/schemas",{"page":"token","items":"schemas"}],
register: ["POST","/v1/schemas"],
get: ["GET","/v1/schemas/{id}"],
put: ["PUT","/v1/schemas/{id}"],
form: ["GET","/v1/schemas/{id}/form"],
preview: ["POST","/v1/schema-preview"],
},
forms: {
start: ["POST","/v1/flows"],
flow: ["GET","/v1/flows/{id}"],
decode: ["POST","/v1/schemas/{id}/decode",{"query":["version","validate","useDefaults","emptyNullable","merge"],"type":"any"}],
},
} satisfies Table;
