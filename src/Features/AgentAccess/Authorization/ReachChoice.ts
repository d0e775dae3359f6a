import { button, type Choice, choices, type Html, html, paragraph, radios } from "../../../Pages/Html/HtmlParts.ts"
import type { Choices } from "../Consent/ConsentForm.ts"
import { maxAsked, type Reachable, type ReachableResource } from "./ReachableResources.ts"

/** Everything that the connections reach, or what is ticked in a list that the member asks for. */
export const reachChoice = (chosen: Choices, reachable: ReadonlyArray<Reachable> | undefined): Html => {
  const what = { legend: "What in these accounts?", name: "reach", checked: chosen.reach }
  const all = {
    value: "all",
    label: "Everything in these accounts",
    hint: "Also sites, properties and files that they get later."
  }
  const some = { value: "chosen", label: "Only the sites, properties and files ticked below" }
  const list = html`<div class="actions small">
${
    button({
      text: reachable === undefined ? "Choose sites, properties and files" : "List them again",
      name: "button",
      value: "list"
    })
  }
</div>`
  return reachable === undefined
    ? html`${radios(what, [all])}
${list}`
    : html`${radios(what, [some, all])}
${list}
${
      reachable.length < maxAsked
        ? undefined
        : paragraph(`The first ${maxAsked} connections are listed. Choose fewer to see others.`, "meta")
    }
<div class="scroll">
${reachable.map((each) => ofConnection(each, chosen.resources))}
</div>`
}

const ofConnection = ({ connection, resources }: Reachable, ticked: ReadonlySet<string>): Html => {
  const rows = (resources ?? []).map((each) => row(each, ticked))
  const note = resources === undefined
    ? "What it reaches could not be read."
    : rows.length === 0
    ? "Nothing that is not listed above."
    : undefined
  return html`${choices(connection.label, rows)}
${note === undefined ? undefined : paragraph(note, "meta")}`
}

const row = ({ name, resource }: ReachableResource, ticked: ReadonlySet<string>): Choice => {
  const id = resource.slice(resource.indexOf(":") + 1)
  return {
    type: "checkbox",
    name: "resource",
    value: resource,
    label: name,
    ...name === id || id === "created" ? {} : { hint: id },
    checked: ticked.has(resource)
  }
}
