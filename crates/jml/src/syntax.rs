//! What can be said in JML? The syntax tree; every part knows where it stands.

use std::sync::Arc;

use crate::source::{Source, Span};

/// A file.
#[derive(Debug, Clone)]
pub struct Unit {
    pub source: Arc<Source>,
    /// With dots; empty for none.
    pub package: String,
    pub imports: Vec<Import>,
    pub types: Vec<TypeDeclaration>,
}

/// `import a.b.C;` or `import a.b.*;`, also from a JML comment (`//@ import`). Those of static members are not kept.
#[derive(Debug, Clone)]
pub struct Import {
    /// With dots.
    pub name: String,
    pub is_on_demand: bool,
}

/// A class, an interface, an enumeration or a record.
#[derive(Debug, Clone)]
pub struct TypeDeclaration {
    pub name: String,
    pub span: Span,
    pub type_parameters: Vec<TypeParameter>,
    pub is_pure: bool,
    pub is_nullable_by_default: bool,
    /// Does any JML stand in it?
    pub is_specified: bool,
    pub invariants: Vec<InvariantClause>,
    /// Constraints on every method: they speak of the time before it, too.
    pub constraints: Vec<InvariantClause>,
    pub fields: Vec<FieldDeclaration>,
    pub methods: Vec<MethodDeclaration>,
    pub types: Vec<TypeDeclaration>,
    /// Clauses about the class that have no effect.
    pub unused: Vec<Unused>,
}

#[derive(Debug, Clone)]
pub struct TypeParameter {
    pub name: String,
    /// The first bound.
    pub bound: Option<TypeName>,
}

/// A type as it is written, without its type arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypeName {
    /// With dots: `int`, `Node`, `java.util.Map.Entry`.
    pub name: String,
    pub dimensions: usize,
    pub span: Span,
}

#[derive(Debug, Clone)]
pub struct InvariantClause {
    pub span: Span,
    pub is_static: bool,
    pub condition: Expr,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nullness {
    Nullable,
    NonNull,
}

#[derive(Debug, Clone)]
pub struct FieldDeclaration {
    pub name: String,
    pub of: TypeName,
    pub span: Span,
    pub nullness: Option<Nullness>,
}

#[derive(Debug, Clone)]
pub struct MethodDeclaration {
    /// None for a constructor.
    pub name: Option<String>,
    pub span: Span,
    pub type_parameters: Vec<TypeParameter>,
    pub parameters: Vec<Parameter>,
    /// None for a constructor.
    pub result: Option<TypeName>,
    /// Of the result.
    pub nullness: Option<Nullness>,
    pub is_pure: bool,
    /// Does the invariant not concern it?
    pub is_helper: bool,
    pub cases: Vec<Case>,
    /// Clauses about the method that have no effect.
    pub unused: Vec<Unused>,
}

#[derive(Debug, Clone)]
pub struct Parameter {
    pub name: String,
    pub of: TypeName,
    pub span: Span,
    pub nullness: Option<Nullness>,
}

/// One of the cases that `also` joins.
#[derive(Debug, Clone, Default)]
pub struct Case {
    pub behavior: Behavior,
    pub span: Span,
    pub requires: Vec<Clause>,
    pub ensures: Vec<Clause>,
    pub signals: Vec<Signals>,
    pub signals_only: Option<SignalsOnly>,
    pub assignable: Option<Assignable>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Behavior {
    /// Nothing, or `behavior`.
    #[default]
    Any,
    Normal,
    Exceptional,
}

/// `requires` or `ensures`.
#[derive(Debug, Clone)]
pub struct Clause {
    pub span: Span,
    pub condition: Expr,
}

#[derive(Debug, Clone)]
pub struct Signals {
    pub span: Span,
    pub exception: TypeName,
    pub name: Option<String>,
    /// None says true.
    pub condition: Option<Expr>,
}

#[derive(Debug, Clone)]
pub struct SignalsOnly {
    pub span: Span,
    /// None of them for `\nothing`.
    pub exceptions: Vec<TypeName>,
}

#[derive(Debug, Clone)]
pub struct Assignable {
    pub span: Span,
    pub locations: Locations,
}

#[derive(Debug, Clone)]
pub enum Locations {
    Everything,
    /// None of them for `\nothing`.
    Only(Vec<Location>),
}

#[derive(Debug, Clone)]
pub struct Location {
    pub span: Span,
    pub kind: LocationKind,
}

#[derive(Debug, Clone)]
pub enum LocationKind {
    /// A field: `x`, `this.x`, `a.b.x`, `Counter.total`; or one element, `a[i]`.
    Place(Expr),
    /// `x.*`
    AllFields(Expr),
    /// `a[*]`, or `a[low..high]`.
    Elements { array: Expr, range: Option<(Expr, Expr)> },
}

/// Something in JML that has no effect here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unused {
    pub span: Span,
    /// As the rest of a sentence that begins with the clause.
    pub why: &'static str,
}

#[derive(Debug, Clone)]
pub struct Expr {
    pub span: Span,
    pub kind: ExprKind,
}

#[derive(Debug, Clone)]
pub enum ExprKind {
    Null,
    Bool(bool),
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    Char(u16),
    Text(String),
    This,
    Result,
    Name(String),
    /// A field, or a part of a qualified name: name resolution decides.
    Member(Box<Expr>, String),
    Index(Box<Expr>, Box<Expr>),
    Call {
        on: Option<Box<Expr>>,
        name: String,
        arguments: Vec<Expr>,
    },
    Unary(Unary, Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    Cast(TypeName, Box<Expr>),
    InstanceOf(Box<Expr>, TypeName),
    Old(Box<Expr>),
    Fresh(Vec<Expr>),
    NotModified(Vec<Expr>),
    NonNullElements(Box<Expr>),
    TypeOf(Box<Expr>),
    /// `\type(T)` or `T.class`.
    Type(TypeName),
    Reach {
        from: Box<Expr>,
        of: TypeName,
        /// None of them for all that are of the type.
        fields: Vec<FieldName>,
    },
    Quantified(Box<Quantified>),
}

#[derive(Debug, Clone)]
pub struct FieldName {
    pub name: String,
    pub span: Span,
}

#[derive(Debug, Clone)]
pub struct Quantified {
    pub quantifier: Quantifier,
    pub variables: Vec<Variable>,
    pub range: Option<Expr>,
    pub body: Expr,
}

#[derive(Debug, Clone)]
pub struct Variable {
    pub of: TypeName,
    pub name: String,
    pub span: Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantifier {
    ForAll,
    Exists,
    NumOf,
    Sum,
    Min,
    Max,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unary {
    Not,
    Minus,
    Plus,
    Complement,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binary {
    Equivalent,
    Inequivalent,
    Implies,
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Subtype,
    ShiftLeft,
    ShiftRight,
    ShiftRightUnsigned,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

impl Expr {
    /// The expressions of which this one directly consists.
    pub fn parts(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Member(on, _) => vec![on],
            ExprKind::Index(one, other) | ExprKind::Binary(_, one, other) => vec![one, other],
            ExprKind::Call { on, arguments, .. } => on.iter().map(|on| &**on).chain(arguments).collect(),
            ExprKind::Unary(_, of)
            | ExprKind::Cast(_, of)
            | ExprKind::InstanceOf(of, _)
            | ExprKind::Old(of)
            | ExprKind::NonNullElements(of)
            | ExprKind::TypeOf(of)
            | ExprKind::Reach { from: of, .. } => vec![of],
            ExprKind::Conditional(condition, then, otherwise) => vec![condition, then, otherwise],
            ExprKind::Fresh(all) | ExprKind::NotModified(all) => all.iter().collect(),
            ExprKind::Quantified(quantified) => quantified.range.iter().chain([&quantified.body]).collect(),
            ExprKind::Null
            | ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Long(_)
            | ExprKind::Float(_)
            | ExprKind::Double(_)
            | ExprKind::Char(_)
            | ExprKind::Text(_)
            | ExprKind::This
            | ExprKind::Result
            | ExprKind::Name(_)
            | ExprKind::Type(_) => Vec::new(),
        }
    }

    /// Is something true of the expression, or of any part of it?
    pub fn any(&self, is_meant: &mut dyn FnMut(&Expr) -> bool) -> bool {
        is_meant(self) || self.parts().into_iter().any(|part| part.any(is_meant))
    }
}
