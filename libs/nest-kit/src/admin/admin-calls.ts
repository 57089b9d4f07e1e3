import { Injectable } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { type CallContext, ClientAddresses } from '@gatehouse/kit/clients';
import { adminCallerOf } from './admin-gate.js';

/** The caller of an admin route and its address, for the audit event of a change. */
@Injectable()
export class AdminCalls {
  constructor(private readonly addresses: ClientAddresses) {}

  of(request: FastifyRequest): CallContext {
    return this.addresses.callContext(request, adminCallerOf(request));
  }
}
