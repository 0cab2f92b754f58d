/**
 * Maintenance of the store of a running server over HTTP: its statistics, a check, compaction, and a backup as one
 * SQLite file. What these do with a store is for whoever implements `StoreMaintenance`; here is only the HTTP side.
 */
export {
  createMaintenanceHandlers,
  type MaintenanceHandlerOptions,
} from './maintenance-handlers.ts';
export {
  type BackupOptions,
  type CheckOptions,
  type CheckReport,
  type CompactReport,
  maintenancePaths,
  type StatsReport,
  type StoreMaintenance,
} from './store-maintenance.ts';
