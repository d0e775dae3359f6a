import { formatNamed } from "./AlertFormat.ts"

/** Webhooks of a space. */
export const googleChat = formatNamed("google_chat", {
  payload: ({ facts, link, title }) => ({
    text: title,
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
