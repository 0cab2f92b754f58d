import type { NamedExpression } from '../../../apis/admissionregistration/index.ts';
import {
  type AskAccess,
  AuthorizerValue,
  dyn,
  Failure,
  jsonValue,
  MapValue,
  type Meter,
  type Value,
} from '../../../machinery/cel/index.ts';
import type { Dialect } from '../../../machinery/dialect.ts';
import type { ApiObject } from '../../../machinery/meta/index.ts';
import type { AdmissionAttributes, VersionedResource } from '../../../registry/index.ts';
import { namespaceOf, optionsOf, type ShownObjects } from '../webhooks/index.ts';

/** What the expressions of a policy are about. */
export interface Subject {
  readonly attributes: AdmissionAttributes;
  readonly dialect: Dialect;
  /** The version that the policy's rules name. */
  readonly matched: VersionedResource;
  readonly shown: ShownObjects;
  /** The namespace of the request; undefined for one about no namespaced resource. */
  readonly namespace: ApiObject | undefined;
  /** Undefined where the policy has none. */
  readonly params: ApiObject | undefined;
  /** Asks what the user of the request, or a service account, may do. */
  readonly ask: AskAccess;
}

/** What names stand for in the expressions of one policy about one request; each value is made when it is first asked for. */
export class Activation {
  readonly #subject: Subject;
  readonly #meter: Meter;
  readonly #variables: VariableMap;
  readonly #known = new Map<string, Value | Failure>();

  constructor(subject: Subject, variables: readonly NamedExpression[], meter: Meter) {
    this.#subject = subject;
    this.#meter = meter;
    this.#variables = new VariableMap(variables, this.lookUp, meter);
  }

  readonly lookUp = (name: string): Value | Failure => {
    if (name === 'variables') return this.#variables;
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const value = this.#authorizerOf(name) ?? jsonValue(this.#jsonOf(name), dyn, this.#meter);
    this.#known.set(name, value);
    return value;
  };

  #authorizerOf(name: string): Value | undefined {
    if (name !== 'authorizer' && name !== 'authorizer.requestResource') return undefined;
    const { ask, attributes, matched } = this.#subject;
    const authorizer = new AuthorizerValue(ask, undefined);
    if (name === 'authorizer') return authorizer;
    const { group, resource } = attributes.forms?.requested ?? matched;
    const { subresource, namespace, name: objectName } = attributes;
    const asked = { group, resource, subresource, namespace, name: objectName };
    return authorizer.about(asked, 'authorization.ResourceCheck');
  }

  #jsonOf(name: string): unknown {
    const { shown, namespace, params } = this.#subject;
    switch (name) {
      case 'object':
        return shown.object;
      case 'oldObject':
        return shown.oldObject;
      case 'namespaceObject':
        return namespace;
      case 'params':
        return params;
      default:
        return requestOf(this.#subject);
    }
  }
}

/** The request as expressions see it. */
function requestOf({ attributes, dialect, matched }: Subject): object {
  const { forms, user, operation, subresource, name, isDryRun } = attributes;
  const requested = forms?.requested ?? matched;
  return {
    kind: matched.kind,
    resource: resourceOf(matched),
    subResource: subresource,
    requestKind: requested.kind,
    requestResource: resourceOf(requested),
    requestSubResource: subresource,
    name,
    namespace: namespaceOf(attributes),
    operation,
    userInfo: { username: user.name, uid: user.uid, groups: user.groups, extra: user.extra },
    dryRun: isDryRun,
    options: optionsOf(attributes, dialect),
  };
}

const resourceOf = ({ group, version, resource }: VersionedResource): object => ({
  group,
  version,
  resource,
});

/** Variables, each evaluated when an expression first needs it. What it costs is that expression's. */
class VariableMap extends MapValue {
  readonly #expressions: ReadonlyMap<string, NamedExpression>;
  readonly #known = new Map<string, Value | Failure>();
  readonly #lookUp: (name: string) => Value | Failure;
  readonly #meter: Meter;

  constructor(
    variables: readonly NamedExpression[],
    lookUp: (name: string) => Value | Failure,
    meter: Meter,
  ) {
    super();
    this.#expressions = new Map(variables.map((variable) => [variable.name, variable]));
    this.#lookUp = lookUp;
    this.#meter = meter;
  }

  get size(): number {
    return this.#expressions.size;
  }

  keys(): readonly string[] {
    return [...this.#expressions.keys()];
  }

  get(key: Value): Value | Failure | undefined {
    if (typeof key !== 'string') return undefined;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const compiled = this.#expressions.get(key)?.compiled;
    if (compiled === undefined) return undefined;
    const value =
      'fault' in compiled ? new Failure(compiled.fault) : compiled.evaluate(this.#lookUp, this.#meter);
    const named =
      value instanceof Failure
        ? new Failure(`composited variable "${key}" fails to evaluate: ${value.message}`)
        : value;
    this.#known.set(key, named);
    return named;
  }
}
