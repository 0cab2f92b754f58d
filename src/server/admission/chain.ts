import { ownValue } from '../../base/index.ts';
import type { AdmissionAttributes, AdmissionChain, AdmissionOperation } from '../../registry/index.ts';
import { builtInPlugins } from './built-in.ts';
import type { PluginSources } from './options.ts';
import type { AdmissionPlugin } from './plugin.ts';

/** The enabled plugins, and what they read from. */
export interface AdmissionChainOptions extends PluginSources {
  /** Names of the enabled plugins in the order in which they run. */
  readonly plugins: readonly string[];
  /** Told of every phase that ran. */
  readonly onPhase?: ((outcome: AdmissionOutcome) => void) | undefined;
}

/** How a phase of admission ended. */
export interface AdmissionOutcome {
  readonly phase: 'admit' | 'validate';
  readonly operation: AdmissionOperation;
  readonly isRejected: boolean;
  readonly seconds: number;
}

type Phase = 'admit' | 'validate';
type Step = (attributes: AdmissionAttributes) => Promise<void> | void;

const operations: readonly AdmissionOperation[] = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];

/**
 * The chain of the enabled plugins.
 *
 * @throws RangeError for a name that is no plugin, and for a plugin without what it needs.
 */
export function createAdmissionChain({
  plugins: names,
  onPhase,
  ...sources
}: AdmissionChainOptions): AdmissionChain {
  const plugins = names.map((name) => makePlugin(name, sources));
  return {
    admit: told('admit', twiceIfWanted(plugins, runPhase(plugins, 'admit')), onPhase),
    validate: told('validate', runPhase(plugins, 'validate'), onPhase),
    asksOthers: (attributes) => plugins.some((plugin) => plugin.asksOthers?.(attributes) === true),
  };
}

/** All plugins see an object again that one of them had changed by others (release 1.20, `reinvocation.go`). */
function twiceIfWanted(plugins: readonly AdmissionPlugin[], admit: Step): Step {
  const wanting = plugins.filter(({ wantsAnotherRound }) => wantsAnotherRound !== undefined);
  const again = (attributes: AdmissionAttributes): Promise<void> | void => {
    if (wanting.some((plugin) => plugin.wantsAnotherRound?.(attributes) === true)) return admit(attributes);
  };
  return (attributes) => {
    const waiting = admit(attributes);
    // What waits for nobody asks nobody else.
    return waiting?.then(() => again(attributes));
  };
}

/** Reports how long a phase took. Nothing is awaited that would not be otherwise. */
function told(phase: Phase, run: Step, onPhase: AdmissionChainOptions['onPhase']): Step {
  if (onPhase === undefined) return run;
  return (attributes) => {
    const startedAtMs = performance.now();
    const { operation } = attributes;
    const report = (isRejected: boolean): void =>
      onPhase({ phase, operation, isRejected, seconds: (performance.now() - startedAtMs) / 1000 });
    const fail = (error: unknown): never => {
      report(true);
      throw error;
    };
    let waiting: Promise<void> | void;
    try {
      waiting = run(attributes);
    } catch (error) {
      return fail(error);
    }
    if (waiting !== undefined) return waiting.then(() => report(false), fail);
    report(false);
  };
}

function makePlugin(name: string, sources: PluginSources): AdmissionPlugin {
  const given = sources.options.more?.find((plugin) => plugin.name === name);
  if (given !== undefined) return given;
  const factory = ownValue(builtInPlugins, name);
  if (factory === undefined) throw new RangeError(`unknown admission plugin "${name}"`);
  return factory(sources);
}

function runPhase(plugins: readonly AdmissionPlugin[], phase: Phase): Step {
  const steps = new Map<AdmissionOperation, readonly Step[]>();
  for (const operation of operations) {
    const handlers = plugins.filter((plugin) => plugin.handles(operation));
    steps.set(
      operation,
      handlers.flatMap((plugin) => plugin[phase]?.bind(plugin) ?? []),
    );
  }
  return (attributes) => runFrom(steps.get(attributes.operation) ?? [], 0, attributes);
}

/** Runs steps in order. Nothing is awaited as long as no step has to wait, which is the case for almost all writes. */
function runFrom(
  steps: readonly Step[],
  start: number,
  attributes: AdmissionAttributes,
): Promise<void> | void {
  for (let at = start; at < steps.length; at++) {
    const waiting = steps[at]?.(attributes);
    if (waiting !== undefined) return waiting.then(() => runFrom(steps, at + 1, attributes));
  }
}
