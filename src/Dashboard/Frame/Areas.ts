export interface Area {
  readonly path: string
  readonly title: string
  readonly admin?: boolean
}

export const areas: ReadonlyArray<Area> = [
  { path: "/", title: "Overview" },
  { path: "/connections", title: "Connections" },
  { path: "/keys", title: "API keys" },
  { path: "/agents", title: "Agents" },
  { path: "/logs", title: "Logs" },
  { path: "/playground", title: "Playground" },
  { path: "/clients", title: "Clients" },
  { path: "/members", title: "Members", admin: true },
  { path: "/webhooks", title: "Webhooks", admin: true },
  { path: "/settings", title: "Settings" }
]
