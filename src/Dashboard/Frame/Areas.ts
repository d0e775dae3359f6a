import type { IconName } from "../Parts/Icon.tsx"

export interface Area {
  readonly path: string
  readonly title: string
  readonly icon: IconName
  readonly admin?: boolean
}

export const areas: ReadonlyArray<Area> = [
  { path: "/", title: "Overview", icon: "overview" },
  { path: "/connections", title: "Connections", icon: "connections" },
  { path: "/keys", title: "API keys", icon: "keys" },
  { path: "/agents", title: "Agents", icon: "agents" },
  { path: "/approvals", title: "Approvals", icon: "ok" },
  { path: "/logs", title: "Logs", icon: "logs" },
  { path: "/datasets", title: "Datasets", icon: "datasets" },
  { path: "/playground", title: "Playground", icon: "playground" },
  { path: "/clients", title: "Clients", icon: "clients" },
  { path: "/members", title: "Members", icon: "members", admin: true },
  { path: "/webhooks", title: "Webhooks", icon: "webhooks", admin: true },
  { path: "/settings", title: "Settings", icon: "settings" }
]
