/** A schema object of Swagger 2.0, as far as release 1.20 publishes it. */
export interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string;
  readonly format?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | true;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly [extension: `x-${string}`]: unknown;
}

/** A parameter of an operation: the body with its schema, or a part of the path or the query. */
export interface Parameter {
  readonly name: string;
  readonly in: 'body' | 'path' | 'query';
  readonly description?: string;
  readonly required?: boolean;
  readonly schema?: Schema;
  readonly type?: string;
  readonly uniqueItems?: boolean;
}

/** What an answer of one status holds. */
export interface Answer {
  readonly description: string;
  readonly schema?: Schema;
}

/** One method of a path. */
export interface Operation {
  readonly description?: string;
  readonly consumes?: readonly string[];
  readonly produces?: readonly string[];
  readonly schemes: readonly string[];
  readonly tags: readonly string[];
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly responses: Readonly<Record<string, Answer>>;
  readonly [extension: `x-${string}`]: unknown;
}

/** Methods that operations are filed under. */
export const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] as const;
export type Method = (typeof methods)[number];

/** A path with its methods and the parameters that all of them have. */
export type PathItem = Readonly<Partial<Record<Method, Operation>>> & {
  readonly parameters?: readonly Parameter[];
};

/** A path and what it offers. */
export type NamedPath = readonly [path: string, item: PathItem];

/** Reference to a definition. */
export const refTo = (definition: string): Schema => ({ $ref: `#/definitions/${definition}` });
