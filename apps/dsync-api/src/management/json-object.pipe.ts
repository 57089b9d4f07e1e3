import { invalidField } from '@gatehouse/kit/input';
import { type PipeTransform } from '@nestjs/common';

/** Accepts a JSON object; a missing body counts as an empty one. Anything else is 400. */
export const jsonObject: PipeTransform<unknown, object> = {
  transform: (body) => {
    if (body === undefined) return {};
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
    throw invalidField('body', 'must be a JSON object');
  },
};
