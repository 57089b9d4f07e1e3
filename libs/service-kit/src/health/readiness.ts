import { Injectable } from '@nestjs/common';

/** Reports "not ready" as soon as a shutdown begins, while requests in flight finish. */
@Injectable()
export class Readiness {
  isShuttingDown = false;
}
