import { type Access } from '../http/access.js';
import { type ProviderRequests } from '../http/provider-requests.js';
import { WorkspaceError } from '../workspace.errors.js';

/** Context shared by the Microsoft Graph requests of one directory. */
export interface EntraContext {
  requests: ProviderRequests;
  access: Access;
  apiUrl: string;
  directoryId: string;
}

/** The access token is sent to this address, so it must be one of the API. @throws WorkspaceError */
export function checkedLink(apiUrl: string, link: string): string {
  if (link.startsWith(`${apiUrl}/`)) return link;
  throw new WorkspaceError('invalid_response', 'Microsoft Graph sent a link to another address.');
}
