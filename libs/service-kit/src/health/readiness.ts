import { Injectable } from '@nestjs/common';

/** Says "not ready" from the first moment of a shutdown, while requests in flight still finish. */
@Injectable()
export class Readiness {
  isShuttingDown = false;
}
