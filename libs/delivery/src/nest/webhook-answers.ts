import { type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { map, type Observable } from 'rxjs';
import { type WebhookSystem } from './webhook-system.js';

/** Puts answers into the envelope of the service. No cache keeps them: they have secrets or personal data. */
export class WebhookAnswers implements NestInterceptor {
  constructor(private readonly envelope: WebhookSystem['envelope']) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    void context.switchToHttp().getResponse<FastifyReply>().header('Cache-Control', 'no-store');
    const { envelope } = this;
    return envelope ? next.handle().pipe(map(envelope.answer)) : next.handle();
  }
}
