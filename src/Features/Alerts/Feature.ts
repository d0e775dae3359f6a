import { Layer } from "effect"
import type { Feature } from "../Feature.ts"
import { AddFormats } from "./Formats/AddFormats.ts"
import { Notices, ServeNotices } from "./Notices/Notices.ts"

/** News that people read: in the chats of their teams, and by e-mail. */
export const alerts: Feature = {
  name: "alerts",
  needs: ["webhooks"],
  layer: ServeNotices.pipe(Layer.provide(Notices.layer)),
  owns: { storage: AddFormats }
}
