// Checks a chain of objects of different classes, each of which may be missing.
// target: NestedObjects.street
// scope: 1
// domain: int 0..1
public class NestedObjects {
    Person person;

    static class Person {
        Address address;
        int age;
    }

    static class Address {
        int street;
        Person owner;
    }

    int street() {
        if (person == null) {
            return -1;
        }
        Address address = person.address;
        return address.owner == person && person.age > 0 ? address.street : -2;
    }
}
