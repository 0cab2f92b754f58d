import type { Dialect } from '../../machinery/dialect.ts';
import { formatCompactJson } from '../printers/json.ts';
import { apiVersionOf, type Target } from '../resource/target.ts';

/** What apply was doing to an object when that failed: `creating` in `error when creating "web.yaml": ...`. */
export class ApplyStepError extends Error {
  readonly step: string;

  constructor(step: string, cause: unknown) {
    super(`error when ${step}`, { cause });
    this.step = step;
  }
}

/** The steps of one object in words: those of release 1.20 where its dialect is spoken, short ones otherwise. */
export class ApplySteps {
  readonly #isRelease: boolean;
  readonly #target: Target;

  constructor(dialect: Dialect, target: Target) {
    this.#isRelease = dialect.name === 'kubernetes';
    this.#target = target;
  }

  creating(error: unknown): ApplyStepError {
    return new ApplyStepError('creating', error);
  }

  reading(error: unknown): ApplyStepError {
    const step = `retrieving current configuration of:\n${this.#describe()}\nfrom server for:`;
    return new ApplyStepError(this.#isRelease ? step : 'applying', error);
  }

  patching(error: unknown, patch: unknown): ApplyStepError {
    const step = `applying patch:\n${formatCompactJson(patch)}\nto:\n${this.#describe()}\nfor:`;
    return new ApplyStepError(this.#isRelease ? step : 'applying', error);
  }

  #describe(): string {
    const { resource, name = '', namespace } = this.#target;
    // The core group has an empty name, and its slash.
    const version = resource.group === '' ? `/${resource.version}` : apiVersionOf(resource);
    return `Resource: "${version}, Resource=${resource.name}", GroupVersionKind: "${version}, Kind=${resource.kind}"
Name: ${JSON.stringify(name)}, Namespace: ${JSON.stringify(namespace)}`;
  }
}
