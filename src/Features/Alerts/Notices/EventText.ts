import type { NewEvent } from "../../../Declared/Event.ts"
import { counted } from "./Plain.ts"

/** What is known of the account that an event is about. */
export interface Account {
  /** The identity at the provider, or the name of the connection. */
  readonly name: string
  /** The provider's product, as people call it. */
  readonly product: string
  readonly connectionId: string
  /** The connection that has the credentials. */
  readonly reconnectId: string
}

/** The words for an event. `path` is below the dashboard's address. */
export interface EventText {
  readonly title: string
  readonly what: string
  /** What the reader should do. */
  readonly action: string
  readonly link: { readonly text: string; readonly path: string }
  /** What the event is about, if it is not an account. */
  readonly subject?: { readonly name: string; readonly value: string }
}

type Of<Type extends NewEvent["type"]> = Extract<NewEvent, { readonly type: Type }>

type ConnectionEvent = Extract<NewEvent, { readonly data: { readonly connection: unknown } }>

const expected = "Nothing, if you expected it."

const minute = (at: Date): string => `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`

const ofConnection = (event: ConnectionEvent, { connectionId, name, product, reconnectId }: Account): EventText => {
  const open = { text: "Open the connection", path: `/connections/${connectionId}` }
  const reconnect = { text: "Reconnect", path: `/connections/${reconnectId}/reconnect` }
  switch (event.type) {
    case "connection.created":
      return { title: `Connected: ${name}`, what: `A ${product} account was connected.`, action: expected, link: open }
    case "connection.changed":
      return { title: `Changed: ${name}`, what: "It has another name, client or bounds.", action: expected, link: open }
    case "connection.reconnected":
      return { title: `Connected again: ${name}`, what: "Calls work again.", action: expected, link: open }
    case "connection.revoked":
      return { title: `Revoked: ${name}`, what: "Calls through it fail from now on.", action: expected, link: open }
    case "connection.recovered":
      return { title: `Well again: ${name}`, what: "It is no longer at risk.", action: "Nothing.", link: open }
    case "connection.expired":
      return {
        title: `Access ended: ${name}`,
        what: event.data.reason === "refresh_refused"
          ? `${product} no longer accepts the sign-in: access was taken back or has ended. Calls fail.`
          : `${product} refuses the account, although its sign-in is fresh. Calls fail.`,
        action: "Reconnect the account.",
        link: reconnect
      }
    case "connection.at_risk":
      return ofRisk(event, name, { open, reconnect })
    case "connection.token_shared":
      return {
        title: `One login for several clients: ${name}`,
        what: `${counted(event.data.token_shared_with.length, "connection", "connections")} of other clients ${
          event.data.token_shared_with.length === 1 ? "has" : "have"
        } the same login.`,
        action: "Give each client a login of its own, or bound the connections.",
        link: open
      }
  }
}

const ofRisk = (
  { data: { reason: { code, expected_at } } }: Of<"connection.at_risk">,
  name: string,
  { open, reconnect }: { readonly open: EventText["link"]; readonly reconnect: EventText["link"] }
): EventText => {
  const when = expected_at === null ? "" : ` It is expected to stop on ${minute(expected_at)}.`
  const risk = (what: string, action: string, link: EventText["link"]) => ({
    title: `At risk: ${name}`,
    what: `${what}${when}`,
    action,
    link
  })
  switch (code) {
    case "testing_mode":
      return risk(
        "The sign-in ends at a fixed time.",
        "Publish the consent screen of your OAuth application, then reconnect.",
        reconnect
      )
    case "unused":
      return risk("The sign-in was not used for five months.", "Test the connection, or reconnect it.", open)
    case "scopes_missing":
      return risk("Not all access was allowed.", "Reconnect, and allow everything.", reconnect)
    case "resource_lost":
      return risk("The account no longer lists what the connection is bound to.", "Ask its owner for access.", open)
    case "failing":
      return risk("The last call or test failed.", "Look at its latest calls.", open)
  }
}

const ofKey = ({ data: { key }, type }: Of<"key.created" | "key.changed" | "key.revoked">): EventText => {
  const [done, what] = {
    "key.created": ["made", "It can make calls from now on."],
    "key.changed": ["changed", "It has another name, expiry or right to manage."],
    "key.revoked": ["revoked", "Calls with it fail from now on."]
  }[type]
  return {
    title: `API key ${done}: ${key.name}`,
    what: what ?? "",
    action: type === "key.revoked" ? expected : "Nothing, if you expected it. Otherwise revoke the key.",
    link: { text: "Open the keys", path: "/keys" },
    subject: { name: "Key", value: key.name }
  }
}

const ofGrant = ({ data: { grant }, type }: Of<"grant.created" | "grant.revoked">): EventText => {
  const isNew = type === "grant.created"
  return {
    title: `Agent ${isNew ? "allowed" : "no longer allowed"}: ${grant.agent.name}`,
    what: isNew ? "An agent may act for a member from now on." : "Calls of the agent fail from now on.",
    action: isNew ? "Nothing, if you expected it. Otherwise revoke the grant." : expected,
    link: { text: "Open the agents", path: "/agents" },
    subject: { name: "Agent", value: grant.agent.name }
  }
}

const ofApproval = (
  { data: { approval }, type }: Of<"approval.requested" | "approval.decided">,
  product: string
): EventText => {
  const where = approval.resource_name ?? product
  const operation = approval.target.replace(/^(raw|tool):/, "")
  const link = { text: "Look at the change", path: `/approvals/${approval.id}` }
  const subject = { name: "Where", value: where }
  return type === "approval.requested"
    ? {
      title: `Approval wanted: ${where}`,
      what: `A write with ${operation} waits. It ends on ${minute(approval.expires_at)}.`,
      action: "Look at the change, then approve or deny it.",
      link,
      subject
    }
    : {
      title: `${approval.status === "denied" ? "Denied" : "Approved"}: ${where}`,
      what: `A person has decided on a write with ${operation}.`,
      action: "Nothing.",
      link,
      subject
    }
}

const ofDataset = ({ data: { dataset }, type }: Of<"dataset.completed" | "dataset.failed">): EventText => {
  const { days, id, last_error, name, rows } = dataset
  const link = { text: "Open the dataset", path: `/datasets/${id}` }
  const figures = `${counted(days.done + days.capped, "day", "days")} with ${counted(rows, "row", "rows")}`
  const subject = { name: "Dataset", value: name }
  return type === "dataset.completed"
    ? { title: `Dataset complete: ${name}`, what: `It has ${figures}.`, action: "Nothing.", link, subject }
    : {
      title: `Dataset stopped: ${name}`,
      what: `It has ${figures} and could not go on${last_error === null ? "" : `: ${last_error.code}`}.`,
      action: "Open it: it names the cause. Then start it again.",
      link,
      subject
    }
}

const ofBulkCall = (
  { data: { bulk_call: { done, failed, id, partial = 0 } } }: Of<"bulk_call.completed">
): EventText => ({
  title: `Answers are ready: ${counted(done, "account", "accounts")} asked`,
  what: (failed === 0 ? "All of them have answered." : `${counted(failed, "of them has", "of them have")} failed.`) +
    (partial === 0 ? "" : ` ${counted(partial, "answer is", "answers are")} a part of what there is.`),
  action: failed === 0 ? "Read its table." : "Read its table, and the causes of the failures.",
  link: { text: "Open the playground", path: "/playground" },
  subject: { name: "Question", value: id }
})

/** `undefined` for an event of an account that is unknown. */
export const eventText = (event: NewEvent, account: Account | undefined): EventText | undefined => {
  switch (event.type) {
    case "key.created":
    case "key.changed":
    case "key.revoked":
      return ofKey(event)
    case "grant.created":
    case "grant.revoked":
      return ofGrant(event)
    case "approval.requested":
    case "approval.decided":
      return ofApproval(event, account?.product ?? "an account")
    case "dataset.completed":
    case "dataset.failed":
      return ofDataset(event)
    case "bulk_call.completed":
      return ofBulkCall(event)
    default:
      return account === undefined ? undefined : ofConnection(event, account)
  }
}
