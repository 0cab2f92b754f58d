import { MessageCodec } from '../grpc/service-codec.ts';
import descriptor from './device-protocol.json' with { type: 'json' };

/** What a plugin answers, version `v1beta1`. */
export const pluginService = { service: 'v1beta1.DevicePlugin', descriptor };

/** Where plugins make themselves known. */
export const registrationService = { service: 'v1beta1.Registration', descriptor };

/** The only version of the interface. */
export const pluginVersion = 'v1beta1';

/** What a plugin can do beside what every plugin must. */
export interface PluginOptions {
  readonly pre_start_required: boolean;
  readonly get_preferred_allocation_available: boolean;
}

/** A plugin makes itself known: its socket is a file beside that of the agent. */
export interface RegisterRequest {
  readonly version: string;
  readonly endpoint: string;
  readonly resource_name: string;
  readonly options: PluginOptions | null;
}

/** A device as a plugin lists it. */
export interface ListedDevice {
  readonly ID: string;
  /** `Healthy`, or anything else. */
  readonly health: string;
  /** NUMA nodes that it is close to. */
  readonly topology: { readonly nodes: readonly { readonly ID: number }[] } | null;
}

/** What a container is made with to have its devices. */
export interface ContainerAllocation {
  readonly envs: Readonly<Record<string, string>>;
  readonly mounts: readonly {
    readonly container_path: string;
    readonly host_path: string;
    readonly read_only: boolean;
  }[];
  readonly devices: readonly {
    readonly container_path: string;
    readonly host_path: string;
    readonly permissions: string;
  }[];
  readonly annotations: Readonly<Record<string, string>>;
}

/** Methods of a plugin by name: what they are asked, what they answer. */
export type PluginMethods = {
  readonly GetDevicePluginOptions: readonly [request: object, answer: PluginOptions];
  readonly ListAndWatch: readonly [request: object, answer: { readonly devices: readonly ListedDevice[] }];
  readonly GetPreferredAllocation: readonly [
    request: {
      readonly container_requests: readonly {
        readonly available_deviceIDs: readonly string[];
        readonly must_include_deviceIDs: readonly string[];
        readonly allocation_size: number;
      }[];
    },
    answer: { readonly container_responses: readonly { readonly deviceIDs: readonly string[] }[] },
  ];
  readonly Allocate: readonly [
    request: { readonly container_requests: readonly { readonly devicesIDs: readonly string[] }[] },
    answer: { readonly container_responses: readonly ContainerAllocation[] },
  ];
  readonly PreStartContainer: readonly [request: { readonly devicesIDs: readonly string[] }, answer: object];
};

/** The one method of the agent for plugins. */
export type RegistrationMethods = {
  readonly Register: readonly [request: RegisterRequest, answer: object];
};

/** An allocation as the checkpoint keeps it. */
export const allocationCodec = new MessageCodec<ContainerAllocation>({
  message: 'v1beta1.ContainerAllocateResponse',
  descriptor,
});
