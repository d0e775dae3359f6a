import { formatNamed } from "./AlertFormat.ts"

/** Webhooks of a space. Notices of a connection are one thread. */
export const googleChat = formatNamed("google_chat", {
  target: (url) => {
    const target = new URL(url)
    target.searchParams.set("messageReplyOption", "REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD")
    return target
  },
  payload: ({ facts, link, thread, title }) => ({
    text: title,
    ...thread === undefined ? {} : { thread: { threadKey: thread } },
    cardsV2: [{
      cardId: "alert",
      card: {
        header: { title },
        sections: [{
          widgets: [
            ...facts.map(({ name, value }) => ({ decoratedText: { topLabel: name, text: value, wrapText: true } })),
            { buttonList: { buttons: [{ text: link.text, onClick: { openLink: { url: link.url } } }] } }
          ]
        }]
      }
    }]
  })
})
