import { ENDPOINT_STATES, type EndpointState } from '@gatehouse/delivery';
import {
  EndpointAdmin,
  type EndpointAdminOptions,
  type EndpointChanges,
  type EndpointView,
} from '@gatehouse/delivery/management';
import { type CallContext } from '@gatehouse/kit/clients';
import { InputReader, invalidField } from '@gatehouse/kit/input';
import { LIBRARY_CALL } from '../../audit/audit-table.js';
import { type DirectoryRepository } from '../../directories/directory.repository.js';
import { type EndpointRow } from '../../directories/directory.types.js';
import { violationMessage } from '../body.input.js';
import { scopeText } from '../directories/directory.input.js';
import { type Page, pageOf, type PageOf } from '../page.input.js';

/** Selects endpoints of all directories. */
export interface EndpointFilter {
  tenant?: string;
  product?: string;
  state?: EndpointState;
}

/** An endpoint in the list of all directories. */
export interface ListedEndpoint extends EndpointView {
  directory_id: string;
  directory_name: string;
  tenant: string;
  product: string;
  /** False: the directory is deactivated, so nothing is sent. */
  enabled: boolean;
}

/**
 * The `webhookEndpoints` operations of the controller object: up to ten receivers of the events of a
 * directory, each with a lane of its own. The first is the webhook of the directory and has its id;
 * without a `webhook_url` it is not shown.
 */
export class WebhookEndpoints extends EndpointAdmin {
  constructor(
    options: EndpointAdminOptions,
    private readonly directories: Pick<DirectoryRepository, 'listEndpoints'>,
  ) {
    super(options);
  }

  /** Those of all directories, the newest directory first; 50 unless `pageLimit` says otherwise. */
  async getAll(options: EndpointFilter & Page = {}): Promise<ListedEndpoint[]> {
    return (await this.getPage(options)).items;
  }

  /** As `getAll`, with the offset of the next page. */
  async getPage(options: EndpointFilter & Page = {}): Promise<PageOf<ListedEndpoint>> {
    const input = InputReader.ofQuery(options ?? {}, { message: violationMessage });
    const scope = {
      tenant: options?.tenant ? scopeText(input, 'tenant') : null,
      product: options?.product ? scopeText(input, 'product') : null,
      directoryId: null,
    };
    const state = input.oneOf('state', ENDPOINT_STATES) ?? null;
    input.throwIfInvalid();
    const { offset, limit } = pageOf(options);
    const found = await this.directories.listEndpoints(scope, state, offset, limit + 1);
    const items = found.slice(0, limit).map((row) => this.listed(row));
    return { items, nextOffset: found.length > limit ? offset + limit : null };
  }

  override async update(
    directoryId: string,
    id: string,
    changes: EndpointChanges,
    call: CallContext = LIBRARY_CALL,
  ): Promise<EndpointView> {
    if (id === directoryId && changes?.url !== undefined) {
      const { url } = await this.get(directoryId, id);
      if (changes.url !== url) {
        throw invalidField('url', 'is the webhook_url of the directory; change it there');
      }
    }
    return super.update(directoryId, id, changes, call);
  }

  /** 400 for the first endpoint. */
  override async delete(
    directoryId: string,
    id: string,
    call: CallContext = LIBRARY_CALL,
  ): Promise<null> {
    if (id === directoryId) {
      await this.get(directoryId, id);
      throw invalidField('id', 'is the webhook of the directory; empty its webhook_url instead');
    }
    return super.delete(directoryId, id, call);
  }

  private listed(row: EndpointRow): ListedEndpoint {
    const { sourceId, directoryName, tenant, product, enabled } = row;
    return {
      directory_id: sourceId,
      directory_name: directoryName,
      tenant,
      product,
      enabled,
      ...this.view(row),
    };
  }
}
