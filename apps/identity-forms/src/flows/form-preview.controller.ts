import { type FormModel, type FormPlan } from '@gatehouse/form-decoder';
import { pickLanguage, prefersPage, sendPage } from '@gatehouse/pages';
import { Describe } from '@gatehouse/nest-kit/openapi';
import {
  Body,
  Controller,
  Get,
  Headers,
  HttpCode,
  Param,
  Post,
  Query,
  Req,
  Res,
} from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { IdentityFormsConfig } from '../config.js';
import { type FormsOperation, PAGE, VERSION_QUERY } from '../openapi/operation.js';
import { formPage, formPreview } from '../pages/form.page.js';
import { SchemaCatalog } from '../schemas/schema-catalog.js';
import { readPreviewedSchema, readVersion } from '../schemas/schema.dto.js';
import { inRequestBody } from '../schemas/schema.errors.js';
import { SchemasService } from '../schemas/schemas.service.js';
import { Themes } from './themes.js';
import { FlowAddress } from './flow-address.js';
import { formModel, modelJson, withoutBlankReadOnly } from './flow-view.js';

@Controller('v1')
export class FormPreviewController {
  constructor(
    private readonly catalog: SchemaCatalog,
    private readonly schemas: SchemasService,
    private readonly address: FlowAddress,
    private readonly themes: Themes,
    private readonly config: IdentityFormsConfig,
  ) {}

  @Get('schemas/:id/form')
  @Describe<FormsOperation>({
    id: 'getForm',
    summary: 'The empty form of a schema: its model, or the page by Accept',
    tag: 'Schemas',
    parameters: VERSION_QUERY,
    answer: { status: 200, description: 'The empty form.', schema: 'FormView', content: PAGE },
    errors: [400, 404],
  })
  async form(
    @Param('id') id: string,
    @Query() query: Readonly<Record<string, unknown>>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const schema = await this.catalog.get(id, readVersion(query));
    const model = this.emptyForm(schema.plan, request.headers['accept-language']);
    if (prefersPage(request.headers.accept)) {
      const { basePath } = this.address;
      const theme = this.themes.of(schema.plan);
      const page = formPage(withoutBlankReadOnly(model), { kind: 'sign-up', basePath, theme });
      sendPage(reply, page, { theme });
      return;
    }
    void reply
      .header('vary', 'Accept, Accept-Language')
      .send({ schema_id: schema.id, schema_version: schema.version, ...modelJson(model) });
  }

  @Post('schema-preview')
  @HttpCode(200)
  @Describe<FormsOperation>({
    id: 'previewSchema',
    summary: 'The empty form of a schema that is not stored',
    tag: 'Schemas',
    body: 'SchemaPreviewInput',
    answer: { status: 200, schema: 'SchemaPreview' },
    errors: [422],
  })
  preview(
    @Body() body: unknown,
    @Headers('accept-language') languages: string | undefined,
  ): Record<string, unknown> {
    const plan = this.schemas.compile(readPreviewedSchema(body));
    const model = this.emptyForm(plan, languages);
    const warnings = plan.warnings.map(inRequestBody);
    return { ...modelJson(model), html: formPreview(withoutBlankReadOnly(model)).text, warnings };
  }

  private emptyForm(plan: FormPlan, languages: string | undefined): FormModel {
    const language = pickLanguage(languages);
    return formModel(plan, undefined, [], { language, timeZone: this.config.timeZone });
  }
}
