import { Effect, Layer } from "effect"
import { TextFormats } from "../../Webhooks/TextFormats.ts"
import { Notices } from "../Notices/Notices.ts"
import { discord } from "./Discord.ts"
import { googleChat } from "./GoogleChat.ts"
import { slack } from "./Slack.ts"
import { teams } from "./Teams.ts"

export const alertFormatList = [slack, teams, googleChat, discord]

export const AddFormats = Layer.effectDiscard(Effect.gen(function*() {
  const formats = yield* TextFormats
  const notices = yield* Notices
  for (const { payload, ...format } of alertFormatList) {
    yield* formats.add({
      ...format,
      write: ({ body }, url) => Effect.map(notices.of(body), (notice) => JSON.stringify(payload(notice, url)))
    })
  }
})).pipe(Layer.provide([TextFormats.layer, Notices.layer]))
