export {};
//# sourceMappingURL=part.js.map