import type { ApiClient, JsonObject } from './api-client.ts';
import { eventually } from './eventually.ts';

/** Where definitions are. */
export const definitionsPath = '/apis/apiextensions.orch.io/v1/customresourcedefinitions';

/** A version of a definition that keeps all fields, unless it is told otherwise. */
export const openVersion = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  served: true,
  storage: true,
  schema: { openAPIV3Schema: { type: 'object', 'x-orch-preserve-unknown-fields': true } },
  ...more,
});

/** A definition of widgets in a group of its own, in the namespaces of the cluster. */
export function widgetDefinition(group: string, spec: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'apiextensions.orch.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: {
        plural: 'widgets',
        singular: 'widget',
        kind: 'Widget',
        listKind: 'WidgetList',
        shortNames: ['wd'],
      },
      versions: [openVersion('v1')],
      ...spec,
    },
  };
}

/** A widget. */
export const widget = (group: string, name: string, more: JsonObject = {}): JsonObject => ({
  apiVersion: `${group}/v1`,
  kind: 'Widget',
  metadata: { name },
  ...more,
});

/** Creates a definition and waits until its objects are served. Answers with the definition as it is then. */
export async function establish(admin: ApiClient, definition: JsonObject): Promise<JsonObject> {
  await admin.create(definitionsPath, definition);
  return untilEstablished(admin, definition.metadata.name);
}

/** Waits until a definition is established. */
export function untilEstablished(admin: ApiClient, name: string): Promise<JsonObject> {
  return eventually(async () => {
    const { body } = await admin.get(`${definitionsPath}/${name}`);
    return conditionOf(body, 'Established')?.status === 'True' ? body : undefined;
  });
}

/** A condition of a definition. */
export const conditionOf = ({ status }: JsonObject, type: string): JsonObject | undefined =>
  status?.conditions?.find((condition: JsonObject) => condition.type === type);
