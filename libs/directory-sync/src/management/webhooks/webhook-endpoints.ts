import {
  type EndpointChanges,
  EndpointAdmin,
  type EndpointView,
} from '@gatehouse/delivery/management';
import { type CallContext } from '@gatehouse/kit/clients';
import { invalidField } from '@gatehouse/kit/input';
import { LIBRARY_CALL } from '../../audit/audit-table.js';

/**
 * The `webhookEndpoints` operations of the controller object: up to ten receivers of the events of a
 * directory, each with a lane of its own. The first is the webhook of the directory and has its id;
 * without a `webhook_url` it is not shown.
 */
export class WebhookEndpoints extends EndpointAdmin {
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
}
