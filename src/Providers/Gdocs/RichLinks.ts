import type { Issue } from "../../Domain/Validation/Issue.ts"
import type { BatchUpdateDocumentRequest } from "./Generated.ts"

/** A rich link shows the title of the file that it leads to. */
export const richLinkIssues = ({ requests = [] }: typeof BatchUpdateDocumentRequest.Type): ReadonlyArray<Issue> =>
  requests.flatMap((request, index) =>
    request.insertRichLink === undefined ? [] : [{
      path: ["input", "body", "requests", index, "insertRichLink"],
      message: "A rich link would show the title of another file. Insert a text with a link instead"
    }]
  )
