import { invalidField } from '@gatehouse/service-kit';
import { type PipeTransform } from '@nestjs/common';

/** Lets a JSON object through, and takes no body for one without members; all else is 400. */
export const jsonObject: PipeTransform<unknown, object> = {
  transform: (body) => {
    if (body === undefined) return {};
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
    throw invalidField('body', 'must be a JSON object');
  },
};
