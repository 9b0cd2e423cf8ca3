//! What can be said in JML? The syntax tree; every part knows where it stands.

use std::sync::Arc;

use crate::source::{SourceText, Span};

/// A file.
#[derive(Debug, Clone)]
pub struct CompilationUnit {
    /// The file itself, for complaints.
    pub source: Arc<SourceText>,
    /// With dots; empty for none.
    pub package: String,
    /// The imports of types; static ones are left out.
    pub imports: Vec<Import>,
    /// The types that the file declares at the top level.
    pub types: Vec<TypeDeclaration>,
}

/// `import a.b.C;` or `import a.b.*;`, also from a JML comment (`//@ import`). Those of static members are not kept.
#[derive(Debug, Clone)]
pub struct Import {
    /// With dots.
    pub name: String,
    /// Does it import all types of a package or class, by `.*`?
    pub is_on_demand: bool,
}

/// A class, an interface, an enumeration or a record.
#[derive(Debug, Clone)]
pub struct TypeDeclaration {
    /// The simple name.
    pub name: String,
    /// The place of the name.
    pub span: Span,
    /// The type parameters, in order.
    pub type_parameters: Vec<TypeParameter>,
    /// Are all of its methods `pure`?
    pub is_pure: bool,
    /// May what it declares be null unless the declaration says otherwise?
    pub is_nullable_by_default: bool,
    /// Does any JML stand in it?
    pub is_specified: bool,
    /// The `invariant` clauses.
    pub invariants: Vec<InvariantClause>,
    /// Constraints on every method: they speak of the time before it, too.
    pub constraints: Vec<InvariantClause>,
    /// The fields, ghost and model fields excluded.
    pub fields: Vec<FieldDeclaration>,
    /// The fields that only specifications have: those of `model` and `ghost` declarations.
    pub model_fields: Vec<ModelField>,
    /// The `represents` clauses.
    pub represents: Vec<Represents>,
    /// The methods and constructors.
    pub methods: Vec<MethodDeclaration>,
    /// The types that are declared in it.
    pub types: Vec<TypeDeclaration>,
    /// Clauses about the class that have no effect.
    pub unused: Vec<Unused>,
}

/// A type parameter of a class or a method.
#[derive(Debug, Clone)]
pub struct TypeParameter {
    /// The name of the parameter.
    pub name: String,
    /// The first bound.
    pub bound: Option<TypeName>,
}

/// A type as it is written, without its type arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypeName {
    /// With dots: `int`, `Node`, `java.util.Map.Entry`.
    pub name: String,
    /// The number of array dimensions.
    pub dimensions: usize,
    /// The place of the name.
    pub span: Span,
}

/// An `invariant` or `constraint` clause.
#[derive(Debug, Clone)]
pub struct InvariantClause {
    /// The place of the clause.
    pub span: Span,
    /// Does it speak of static fields only?
    pub is_static: bool,
    /// The condition that must hold.
    pub condition: Expr,
}

/// A modifier that says whether a reference may be null.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nullness {
    /// `nullable`
    Nullable,
    /// `non_null`
    NonNull,
}

/// A field.
#[derive(Debug, Clone)]
pub struct FieldDeclaration {
    /// The name of the field.
    pub name: String,
    /// The declared type.
    pub of: TypeName,
    /// The place of the declaration.
    pub span: Span,
    /// The modifier before it, if there is one.
    pub nullness: Option<Nullness>,
}

/// A field that only specifications have.
#[derive(Debug, Clone)]
pub struct ModelField {
    /// The name of the field.
    pub name: String,
    /// The declared type.
    pub of: TypeName,
    /// Is it a ghost field? `set` statements give it its values, and not a `represents` clause.
    pub is_ghost: bool,
    /// Does it belong to the class, and not to its objects?
    pub is_static: bool,
}

/// `represents name = value`: what a model field stands for.
#[derive(Debug, Clone)]
pub struct Represents {
    /// The place of the clause.
    pub span: Span,
    /// The name of the model field.
    pub name: String,
    /// The value, in terms of the fields of the class.
    pub value: Expr,
}

/// A method or a constructor, with its specification.
#[derive(Debug, Clone)]
pub struct MethodDeclaration {
    /// None for a constructor.
    pub name: Option<String>,
    /// The place of the name.
    pub span: Span,
    /// The type parameters, in order.
    pub type_parameters: Vec<TypeParameter>,
    /// The parameters, in order.
    pub parameters: Vec<Parameter>,
    /// None for a constructor.
    pub result: Option<TypeName>,
    /// Of the result.
    pub nullness: Option<Nullness>,
    /// Is it declared `pure`?
    pub is_pure: bool,
    /// Does the invariant not concern it?
    pub is_helper: bool,
    /// The cases of its specification.
    pub cases: Vec<SpecificationCase>,
    /// Clauses about the method that have no effect.
    pub unused: Vec<Unused>,
}

/// A parameter of a method.
#[derive(Debug, Clone)]
pub struct Parameter {
    /// The name of the parameter.
    pub name: String,
    /// The declared type.
    pub of: TypeName,
    /// The place of the name.
    pub span: Span,
    /// The modifier before it, if there is one.
    pub nullness: Option<Nullness>,
}

/// One of the cases that `also` joins.
#[derive(Debug, Clone, Default)]
pub struct SpecificationCase {
    /// The kind of end of which the case speaks.
    pub behavior: Behavior,
    /// The place of the case.
    pub span: Span,
    /// The preconditions under which the case applies.
    pub requires: Vec<Clause>,
    /// The conditions that hold if the method returns.
    pub ensures: Vec<Clause>,
    /// The conditions that hold if the method throws.
    pub signals: Vec<Signals>,
    /// The only exceptions that the method may throw.
    pub signals_only: Option<SignalsOnly>,
    /// The places that the method may change; without a clause, all of them.
    pub assignable: Option<Assignable>,
}

/// The kind of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Behavior {
    /// Nothing, or `behavior`.
    #[default]
    Any,
    /// `normal_behavior`: the method returns.
    Normal,
    /// `exceptional_behavior`: the method throws.
    Exceptional,
}

/// `requires` or `ensures`.
#[derive(Debug, Clone)]
pub struct Clause {
    /// The place of the clause.
    pub span: Span,
    /// The condition.
    pub condition: Expr,
}

/// `signals (E e) condition`
#[derive(Debug, Clone)]
pub struct Signals {
    /// The place of the clause.
    pub span: Span,
    /// The class of the exceptions of which it speaks.
    pub exception: TypeName,
    /// The name that the condition uses for the exception.
    pub name: Option<String>,
    /// None says true.
    pub condition: Option<Expr>,
}

/// `signals_only E, F`
#[derive(Debug, Clone)]
pub struct SignalsOnly {
    /// The place of the clause.
    pub span: Span,
    /// None of them for `\nothing`.
    pub exceptions: Vec<TypeName>,
}

/// `assignable x, y.*, a[0..3]`
#[derive(Debug, Clone)]
pub struct Assignable {
    /// The place of the clause.
    pub span: Span,
    /// The places that the clause lists.
    pub locations: StoreRefs,
}

/// The list of an `assignable` clause.
#[derive(Debug, Clone)]
pub enum StoreRefs {
    /// `\everything`
    Everything,
    /// None of them for `\nothing`.
    Only(Vec<StoreRef>),
}

/// One item of an `assignable` clause.
#[derive(Debug, Clone)]
pub struct StoreRef {
    /// The place of the item.
    pub span: Span,
    /// The form of the item.
    pub kind: StoreRefKind,
}

/// The form of an item of an `assignable` clause.
#[derive(Debug, Clone)]
pub enum StoreRefKind {
    /// A field: `x`, `this.x`, `a.b.x`, `Counter.total`; or one element, `a[i]`.
    Place(Expr),
    /// `x.*`
    AllFields(Expr),
    /// `a[*]`, or `a[low..high]`.
    Elements {
        /// The array.
        array: Expr,
        /// The first and the last index, both included; none for all elements.
        range: Option<(Expr, Expr)>,
    },
}

/// Something in JML that has no effect here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unused {
    /// The place of the clause.
    pub span: Span,
    /// As the rest of a sentence that begins with the clause.
    pub why: &'static str,
}

/// An expression and its place.
#[derive(Debug, Clone)]
pub struct Expr {
    /// The place of the expression.
    pub span: Span,
    /// The operation and its operands.
    pub kind: ExprKind,
}

/// The operation of an expression, before names are resolved.
#[derive(Debug, Clone)]
pub enum ExprKind {
    /// `null`
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// An `int` literal.
    Int(i32),
    /// A `long` literal.
    Long(i64),
    /// A `float` literal.
    Float(f32),
    /// A `double` literal.
    Double(f64),
    /// A character literal, as a UTF-16 code unit.
    Char(u16),
    /// A string literal.
    Text(String),
    /// `this`
    This,
    /// `\result`
    Result,
    /// A simple name: a variable, a field or a type.
    Name(String),
    /// A field, or a part of a qualified name: name resolution decides.
    Member(Box<Expr>, String),
    /// `a[i]`
    Index(Box<Expr>, Box<Expr>),
    /// A call of a method.
    Call {
        /// The expression or type before the dot, if there is one.
        on: Option<Box<Expr>>,
        /// The name of the method.
        name: String,
        /// The arguments, in order.
        arguments: Vec<Expr>,
    },
    /// An operator with one operand.
    Unary(UnaryOperator, Box<Expr>),
    /// An operator with two operands.
    Binary(BinaryOperator, Box<Expr>, Box<Expr>),
    /// `condition ? then : otherwise`
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `(T) x`
    Cast(TypeName, Box<Expr>),
    /// `x instanceof T`
    InstanceOf(Box<Expr>, TypeName),
    /// `\old(x)` or `\pre(x)`.
    Old(Box<Expr>),
    /// `\fresh(x, y)`
    Fresh(Vec<Expr>),
    /// `\not_modified(x, y)`
    NotModified(Vec<Expr>),
    /// `\nonnullelements(a)`
    NonNullElements(Box<Expr>),
    /// `\typeof(x)`
    TypeOf(Box<Expr>),
    /// `\type(T)` or `T.class`.
    Type(TypeName),
    /// `\reach(x, T, f)`
    Reach {
        /// The object at which the walk begins.
        from: Box<Expr>,
        /// The class of the objects that count.
        of: TypeName,
        /// None of them for all that are of the type.
        fields: Vec<FieldName>,
    },
    /// `(\forall int i; range; body)` and the like.
    Quantified(Box<Quantified>),
}

/// A field by its name alone.
#[derive(Debug, Clone)]
pub struct FieldName {
    /// The name of the field.
    pub name: String,
    /// The place of the name.
    pub span: Span,
}

/// A quantified expression.
#[derive(Debug, Clone)]
pub struct Quantified {
    /// The quantifier.
    pub quantifier: Quantifier,
    /// The variables that it binds.
    pub variables: Vec<BoundVariable>,
    /// The condition that says which values count.
    pub range: Option<Expr>,
    /// The value for each choice of the variables.
    pub body: Expr,
}

/// A variable that a quantifier binds.
#[derive(Debug, Clone)]
pub struct BoundVariable {
    /// The declared type.
    pub of: TypeName,
    /// The name of the variable.
    pub name: String,
    /// The place of the name.
    pub span: Span,
}

/// How a quantified expression combines the values of its body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantifier {
    /// `\forall`
    ForAll,
    /// `\exists`
    Exists,
    /// `\num_of`
    NumOf,
    /// `\sum`
    Sum,
    /// `\min`
    Min,
    /// `\max`
    Max,
}

/// An operator with one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnaryOperator {
    /// `!`
    Not,
    /// `-`
    Minus,
    /// `+`
    Plus,
    /// `~`
    Complement,
}

/// An operator with two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BinaryOperator {
    /// `<==>`
    Equivalent,
    /// `<=!=>`
    Inequivalent,
    /// `==>`; `<==` is read with its operands swapped.
    Implies,
    /// `||`
    Or,
    /// `&&`
    And,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
    /// `&`
    BitAnd,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `<:`, between types.
    Subtype,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
    /// `>>>`
    ShiftRightUnsigned,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
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
