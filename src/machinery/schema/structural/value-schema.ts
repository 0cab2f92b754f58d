import { isJsonObject, isRawNumber, type JsonObject } from '../../../base/index.ts';
import { quoteGo } from '../../errors/index.ts';
import { isJsonNumber } from '../../go-values/index.ts';
import { checkCount, checkItems, refuseOthers, stepsOfName } from './collections.ts';
import { type Combined, checkCombined } from './combinations.ts';
import { type EnumRule, enumRule } from './enums.ts';
import type { Findings } from './findings.ts';
import { type FormatCheck, formatCheck } from './formats/formats.ts';
import { checkNumber, type NumberRules, numberRules } from './numbers.ts';
import {
  type ExtensionNames,
  type SchemaNode,
  schemaAt,
  schemasAt,
  textAt,
  textsAt,
} from './schema-names.ts';
import { checkText, type TextRules, textRules } from './texts.ts';
import { checkType, type TypeRule, typeRule } from './value-types.ts';

/** How values are checked. */
export interface ValueRules {
  readonly names: ExtensionNames;
  /** Values are defaults in a schema, of which types and formats are read otherwise than of objects. */
  readonly isOfDefault?: boolean;
}

/** What is checked of values at one place of a schema, made when a value is first there. */
export class ValueSchema {
  readonly hasDefault: boolean;
  readonly #schema: SchemaNode;
  readonly #rules: ValueRules;
  readonly #type: TypeRule;
  readonly #enum: EnumRule | undefined;
  readonly #numbers: NumberRules | undefined;
  readonly #texts: TextRules | undefined;
  readonly #format: FormatCheck | undefined;
  readonly #required: readonly string[];
  #parts: Parts | undefined;

  constructor(schema: SchemaNode, rules: ValueRules) {
    this.#schema = schema;
    this.#rules = rules;
    this.hasDefault = schema.default !== undefined && schema.default !== null;
    this.#format = formatCheck(textAt(schema, 'format'));
    this.#type = typeRule(schema, rules.names, {
      hasFormat: this.#format !== undefined,
      isOfDefault: rules.isOfDefault === true,
    });
    this.#enum = enumRule(schema.enum);
    this.#numbers = numberRules(schema);
    this.#texts = textRules(schema);
    this.#required = textsAt(schema, 'required');
  }

  /**
   * Adds what is wrong with a value. The order of checks, and how the passed ones count, are go-openapi/validate's (0.19),
   * as release 1.20 has it.
   */
  check(value: unknown, path: string, findings: Findings): void {
    const { effort } = findings;
    if (!effort.spend(1)) return;
    // The largest numbers are long texts, which are read anew by each schema.
    if (isRawNumber(value) && !effort.spendOn(value)) return;
    const type = this.#type;
    if (value === null || value === undefined) {
      if (checkType(type, null, path, findings)) findings.matches++;
      this.#enum?.check(null, path, findings);
      return;
    }
    if (type.isChecked) findings.matches += checkType(type, value, path, findings) ? 2 : 1;
    const parts = this.#made();
    if (parts.combined !== undefined) checkCombined(parts.combined, value, path, findings);
    findings.matches += 2;
    if (typeof value === 'string') this.#checkText(value, path, findings);
    else if (isJsonNumber(value)) {
      if (this.#numbers !== undefined) checkNumber(this.#numbers, value, path, findings);
      findings.matches += 2;
    } else if (Array.isArray(value)) {
      checkItems(this.#schema, parts.items, value, path, findings);
      findings.matches += 2;
    }
    this.#enum?.check(value, path, findings);
    findings.matches++;
    if (isJsonObject(value)) {
      this.#checkMembers(parts, value, path, findings);
      findings.matches++;
    }
    findings.matches++;
  }

  #checkText(text: string, path: string, findings: Findings): void {
    if (this.#texts !== undefined) checkText(this.#texts, text, path, findings);
    findings.matches++;
    if (this.#format === undefined) return;
    findings.effort.spend(text.length >> 4);
    if (!this.#format(text)) {
      findings.invalid(path, text, `must be of type ${textAt(this.#schema, 'format')}: ${quoteGo(text)}`);
    }
    findings.matches++;
  }

  #checkMembers(parts: Parts, object: JsonObject, path: string, findings: Findings): void {
    if (!checkCount(this.#schema, object, path, findings)) return;
    const { effort } = findings;
    const { properties, additional, refusesOthers } = parts;
    if (refusesOthers) refuseOthers(properties, object, path, findings);
    else if (additional !== undefined) {
      for (const name in object) {
        if (!effort.spend(stepsOfName)) return;
        if (!properties.has(name)) additional.check(object[name], `${path}.${name}`, findings);
      }
    }
    if (properties.size > 0) {
      for (const name in object) {
        if (!effort.spend(stepsOfName)) return;
        properties.get(name)?.check(object[name], path === '' ? name : `${path}.${name}`, findings);
      }
    }
    if (!effort.spend(this.#required.length * stepsOfName)) return;
    for (const name of this.#required) {
      if (Object.hasOwn(object, name) || properties.get(name)?.hasDefault === true) continue;
      findings.required(`${path}.${name}`);
    }
  }

  #made(): Parts {
    this.#parts ??= makeParts(this.#schema, this.#rules);
    return this.#parts;
  }
}

/** Schemas below one. */
interface Parts {
  readonly properties: ReadonlyMap<string, ValueSchema>;
  readonly additional: ValueSchema | undefined;
  readonly refusesOthers: boolean;
  readonly items: ValueSchema | undefined;
  readonly combined: Combined | undefined;
}

function makeParts(schema: SchemaNode, rules: ValueRules): Parts {
  const make = (part: SchemaNode | undefined): ValueSchema | undefined =>
    part === undefined ? undefined : new ValueSchema(part, rules);
  const makeAll = (field: string): ValueSchema[] =>
    schemasAt(schema, field).map((part) => new ValueSchema(part, rules));
  const declared = schema.properties;
  const properties = new Map(
    Object.entries(isJsonObject(declared) ? declared : {}).map(([name, part]) => [
      name,
      new ValueSchema(isJsonObject(part) ? part : {}, rules),
    ]),
  );
  const combined = {
    anyOf: makeAll('anyOf'),
    oneOf: makeAll('oneOf'),
    allOf: makeAll('allOf'),
    not: make(schemaAt(schema, 'not')),
  };
  const isCombined =
    combined.anyOf.length + combined.oneOf.length + combined.allOf.length > 0 || combined.not !== undefined;
  return {
    properties,
    additional: make(schemaAt(schema, 'additionalProperties')),
    refusesOthers: schema.additionalProperties === false,
    items: make(schemaAt(schema, 'items')),
    combined: isCombined ? combined : undefined,
  };
}
