import type { IconName } from "../Parts/Icon.tsx"

export interface Area {
  readonly path: string
  readonly title: string
  readonly icon: IconName
  readonly admin?: boolean
  /** Stands apart from the area above. */
  readonly starts?: boolean
}

export const areas: ReadonlyArray<Area> = [
  { path: "/", title: "Overview", icon: "overview" },
  { path: "/connections", title: "Connections", icon: "connections", starts: true },
  { path: "/clients", title: "Clients", icon: "clients" },
  { path: "/keys", title: "API keys", icon: "keys", starts: true },
  { path: "/agents", title: "Agents", icon: "agents" },
  { path: "/approvals", title: "Approvals", icon: "approvals" },
  { path: "/logs", title: "Logs", icon: "logs", starts: true },
  { path: "/playground", title: "Playground", icon: "playground" },
  { path: "/datasets", title: "Datasets", icon: "datasets" },
  { path: "/members", title: "Members", icon: "members", admin: true, starts: true },
  { path: "/webhooks", title: "Webhooks", icon: "webhooks", admin: true },
  { path: "/settings", title: "Settings", icon: "settings" }
]
