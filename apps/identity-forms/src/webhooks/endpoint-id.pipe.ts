import { DeliveryErrors } from '@gatehouse/delivery';
import { DomainError } from '@gatehouse/service-kit';
import { type PipeTransform } from '@nestjs/common';
import { isUuid } from '../http/uuid.js';

/** Reads the id of an endpoint from a path; a malformed one gets the answer of an unknown one. */
export class EndpointIdPipe implements PipeTransform<string, string> {
  transform(id: string): string {
    if (isUuid(id)) return id;
    throw new DomainError(DeliveryErrors.WEBHOOK_ENDPOINT_NOT_FOUND);
  }
}
