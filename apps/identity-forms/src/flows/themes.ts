import { type FormPlan } from '@gatehouse/form-decoder';
import { type Theme } from '@gatehouse/pages';
import { Injectable } from '@nestjs/common';
import { IdentityFormsConfig } from '../config.js';
import { schemaTheme } from '../schemas/schema-theme.js';

/** The theme of each schema, over that of the settings. */
@Injectable()
export class Themes {
  readonly base: Theme;
  private readonly known = new WeakMap<FormPlan, Theme>();

  constructor(config: IdentityFormsConfig) {
    this.base = config.theme;
  }

  of(plan: FormPlan): Theme {
    let theme = this.known.get(plan);
    if (!theme) {
      theme = { ...this.base, ...schemaTheme(plan.schema) };
      this.known.set(plan, theme);
    }
    return theme;
  }
}
