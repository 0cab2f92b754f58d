import { ownValue, setOwn } from '../../../base/index.ts';
import { asItems, asMembers, itemsByElement } from './list-items.ts';
import { type ListView, type MapView, resolveView, type View, wholeView } from './view.ts';

/**
 * The live value with all that the configuration names: its leaves win, nothing is removed, items that the
 * configuration adds come last. Parts are shared with the operands, which are not changed.
 *
 * @throws TypedError when a list has two items with the same keys.
 */
export function mergeTyped(declared: View, live: unknown, config: unknown): unknown {
  if (config === undefined) return live;
  if (live === undefined) return config;
  const view = resolveView(declared, config);
  if (resolveView(declared, live).kind !== view.kind) return config;
  if (view.kind === 'map' && !view.isAtomic) {
    const old = asMembers(live);
    const now = asMembers(config);
    if (old !== undefined && now !== undefined) return mergeMembers(view, old, now);
    return old === undefined ? config : live;
  }
  if (view.kind === 'list' && view.relation !== 'atomic') {
    const old = asItems(live);
    const now = asItems(config);
    if (old !== undefined && now !== undefined) return mergeItems(view, old, now);
    return old === undefined ? config : live;
  }
  return config;
}

function mergeMembers(
  view: MapView,
  live: Record<string, unknown>,
  config: Record<string, unknown>,
): Record<string, unknown> {
  const out = { ...live };
  const fields = view.fields();
  for (const name in config) {
    const member = fields.get(name)?.view ?? view.element ?? wholeView;
    setOwn(out, name, mergeTyped(member, ownValue(live, name), config[name]));
  }
  return out;
}

function mergeItems(view: ListView, live: readonly unknown[], config: readonly unknown[]): unknown[] {
  const items = itemsByElement(view, live);
  for (const [element, item] of itemsByElement(view, config)) {
    items.set(element, mergeTyped(view.element, items.get(element), item));
  }
  return [...items.values()];
}
