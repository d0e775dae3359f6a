import type { Module } from "../Rules.ts"

const fieldsRequired = { required: ["fields"] }
const nonNegativeSheetId = { sheetId: "NonNegativeInt32" }

/**
 * Unions from the "Union field"s of https://developers.google.com/workspace/sheets/api/reference/rest: exactly one where
 * the page requires a value, otherwise at most one. `fields` is required where its description says "At least one field
 * must be specified".
 */
export const gsheets: Module = {
  document: "sheets-v4",
  roots: ["BatchUpdateValuesRequest", "ClearValuesRequest", "Spreadsheet", "BatchUpdateSpreadsheetRequest"],
  output: "src/Providers/Gsheets/Generated.ts",
  imports: [
    "import { ColumnIndex, ValueInputOption, WrittenRange } from \"./Schemas.ts\""
  ],
  rules: {
    BatchUpdateValuesRequest: {
      required: ["valueInputOption"],
      fields: { valueInputOption: "ValueInputOption", data: "Schema.Array(WrittenRange)" }
    },
    BatchUpdateSpreadsheetRequest: { required: ["requests"], minItems: { requests: 1 } },
    Request: { union: true },

    AppendCellsRequest: fieldsRequired,
    RepeatCellRequest: fieldsRequired,
    UpdateBandingRequest: fieldsRequired,
    UpdateCellsRequest: { ...fieldsRequired, exactlyOneOf: ["start", "range"] },
    UpdateDataSourceRequest: fieldsRequired,
    UpdateDeveloperMetadataRequest: { required: ["fields", "dataFilters"], minItems: { dataFilters: 1 } },
    UpdateDimensionGroupRequest: fieldsRequired,
    UpdateDimensionPropertiesRequest: { ...fieldsRequired, atMostOneOf: ["range", "dataSourceSheetRange"] },
    UpdateEmbeddedObjectBorderRequest: fieldsRequired,
    UpdateFilterViewRequest: fieldsRequired,
    UpdateNamedRangeRequest: fieldsRequired,
    UpdateProtectedRangeRequest: fieldsRequired,
    UpdateSheetPropertiesRequest: fieldsRequired,
    UpdateSlicerSpecRequest: fieldsRequired,
    UpdateSpreadsheetPropertiesRequest: fieldsRequired,
    UpdateTableRequest: { required: ["fields", "table"] },
    AddTableRequest: { required: ["table"] },

    AutoFillRequest: { atMostOneOf: ["range", "sourceAndDestination"] },
    AutoResizeDimensionsRequest: { atMostOneOf: ["dimensions", "dataSourceSheetDimensions"] },
    CancelDataSourceRefreshRequest: { atMostOneOf: ["references", "dataSourceId", "isAll"] },
    FindReplaceRequest: { exactlyOneOf: ["range", "sheetId", "allSheets"] },
    PasteDataRequest: { exactlyOneOf: ["delimiter", "html"] },
    RefreshDataSourceRequest: { atMostOneOf: ["references", "dataSourceId", "isAll"] },
    UpdateConditionalFormatRuleRequest: { atMostOneOf: ["rule", "newIndex"] },

    BasicFilter: { fields: { criteria: "Schema.Record(ColumnIndex, FilterCriteria)" } },
    BigQueryDataSourceSpec: { atMostOneOf: ["querySpec", "tableSpec"] },
    ChartData: { exactlyOneOf: ["sourceRange", "columnReference"] },
    ChartGroupRule: { atMostOneOf: ["dateTimeRule", "histogramRule"] },
    ChartSpec: {
      exactlyOneOf: [
        "basicChart",
        "bubbleChart",
        "candlestickChart",
        "histogramChart",
        "orgChart",
        "pieChart",
        "scorecardChart",
        "treemapChart",
        "waterfallChart"
      ]
    },
    Chip: { atMostOneOf: ["personProperties", "richLinkProperties"] },
    ColorStyle: { atMostOneOf: ["rgbColor", "themeColor"] },
    ConditionValue: { exactlyOneOf: ["relativeDate", "userEnteredValue"] },
    ConditionalFormatRule: { exactlyOneOf: ["booleanRule", "gradientRule"] },
    DataFilter: { atMostOneOf: ["developerMetadataLookup", "a1Range", "gridRange"] },
    DataSourceObjectReference: {
      atMostOneOf: [
        "sheetId",
        "chartId",
        "dataSourceTableAnchorCell",
        "dataSourcePivotTableAnchorCell",
        "dataSourceFormulaCell"
      ]
    },
    DataSourceRefreshMonthlySchedule: { required: ["daysOfMonth"], minItems: { daysOfMonth: 1 } },
    DataSourceRefreshSchedule: { atMostOneOf: ["dailySchedule", "weeklySchedule", "monthlySchedule"] },
    DataSourceRefreshWeeklySchedule: { required: ["daysOfWeek"], minItems: { daysOfWeek: 1 } },
    DataSourceSpec: { atMostOneOf: ["bigQuery", "looker"] },
    DeveloperMetadataLocation: { atMostOneOf: ["spreadsheet", "sheetId", "dimensionRange"] },
    DuplicateSheetRequest: { fields: { newSheetId: "NonNegativeInt32" } },
    EmbeddedObjectPosition: {
      exactlyOneOf: ["sheetId", "overlayPosition", "newSheet"],
      fields: nonNegativeSheetId
    },
    ExtendedValue: { atMostOneOf: ["numberValue", "stringValue", "boolValue", "formulaValue", "errorValue"] },
    FilterView: { fields: { criteria: "Schema.Record(ColumnIndex, FilterCriteria)" } },
    FilterSpec: { atMostOneOf: ["columnIndex", "dataSourceColumnReference"] },
    PivotGroup: { atMostOneOf: ["sourceColumnOffset", "dataSourceColumnReference"] },
    PivotGroupRule: { atMostOneOf: ["manualRule", "histogramRule", "dateTimeRule"] },
    PivotTable: {
      atMostOneOf: ["source", "dataSourceId"],
      fields: { criteria: "Schema.Record(ColumnIndex, PivotFilterCriteria)" }
    },
    PivotValue: { exactlyOneOf: ["sourceColumnOffset", "formula", "dataSourceColumnReference"] },
    SheetProperties: { fields: nonNegativeSheetId }
  }
}
