import { AssetRoutes } from '@gatehouse/pages';
import { Module } from '@nestjs/common';
import { DecodingModule } from '../decoding/decoding.module.js';
import { IdentitiesModule } from '../identities/identities.module.js';
import { PagingModule } from '../paging/paging.module.js';
import { SchemasModule } from '../schemas/schemas.module.js';
import { FlowAddress } from './flow-address.js';
import { FlowEntry } from './flow-entry.js';
import { FlowPages } from './flow-pages.js';
import { FlowSubmission } from './flow-submission.js';
import { FlowRoutes } from './flow.routes.js';
import { FlowsController } from './flows.controller.js';
import { FlowsRepository } from './flows.repository.js';
import { FlowsService } from './flows.service.js';
import { OpenFlows } from './open-flows.js';
import { SealedSignUps } from './sealed-sign-ups.js';
import { SubmissionLimits } from './submission-limits.js';
import { Themes } from './themes.js';
import { FormPreviewController } from './form-preview.controller.js';

@Module({
  imports: [SchemasModule, DecodingModule, IdentitiesModule, PagingModule],
  controllers: [FlowsController, FormPreviewController],
  providers: [
    AssetRoutes,
    FlowAddress,
    FlowEntry,
    FlowPages,
    FlowRoutes,
    FlowsRepository,
    FlowsService,
    FlowSubmission,
    OpenFlows,
    SealedSignUps,
    SubmissionLimits,
    Themes,
  ],
  exports: [FlowsRepository],
})
export class FlowsModule {}
